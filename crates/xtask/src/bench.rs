//! The benchmark of the checker, and its long random comparisons.

use crate::context::Context;
use crate::{process, setup};
use anyhow::Result;

/// Measures the families of scenarios with optimisation: in process, as a command, and in WebAssembly if the npm package is
/// built. Writes the rows to `target/bench.json` unless the words name another file.
pub(crate) fn run(context: &Context, words: &[String]) -> Result<()> {
    process::run(context.cargo().args(["build", "--release", "--quiet", "--package", "tidegate"]))?;
    let target = context.root.join("target");
    let mut cargo = context.cargo();
    cargo.args(["run", "--release", "--quiet", "--package", "tidegate-bench", "--"]).args(words);
    if !words.iter().any(|word| word == "--json" || word == "--help") {
        cargo.arg("--json").arg(target.join("bench.json"));
    }
    cargo.arg("--tidegate").arg(target.join("release").join("tidegate"));
    let package = context.root.join("dist-npm");
    if package.is_dir() {
        setup::modules(context, &context.root.join("web/tests"))?;
        cargo.arg("--package").arg(package);
    } else {
        eprintln!(
            "warning: {} is missing, so WebAssembly is not measured; build it with `cargo xtask npm`",
            package.display()
        );
    }
    process::run(&mut cargo)
}

/// Runs a long random comparison, compiled like tests: it spends most of its time in short checks.
pub(crate) fn soak(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.args(["bench", "--quiet", "--package", "tidegate-check", "--bench", "soak"]);
    process::run(cargo.args(["--profile", "test", "--"]).args(words))
}
