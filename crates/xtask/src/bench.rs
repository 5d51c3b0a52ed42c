//! The benchmark of the checker, and its long random comparisons.

use crate::context::Context;
use crate::process;
use anyhow::Result;

/// Runs the benchmark of `check` with optimisation.
pub(crate) fn run(context: &Context, words: &[String]) -> Result<()> {
    bench(context, "families", &[], words)
}

/// Runs a long random comparison, compiled like tests: it spends most of its time in short checks.
pub(crate) fn soak(context: &Context, words: &[String]) -> Result<()> {
    bench(context, "soak", &["--profile", "test"], words)
}

fn bench(context: &Context, name: &str, how: &[&str], words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.args(["bench", "--quiet", "--package", "tidegate-check", "--bench", name]);
    process::run(cargo.args(how).arg("--").args(words))
}
