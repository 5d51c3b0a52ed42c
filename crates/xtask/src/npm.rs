//! The npm package: the crate `tidegate-wasm`, built by wasm-pack.

use crate::context::Context;
use crate::page;
use crate::process;
use crate::setup::{self, Route};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Installs missing tools, builds the package and prints its path.
pub(crate) fn build_with_setup(context: &Context) -> Result<PathBuf> {
    let route = setup::targets(context)?;
    setup::wasm_bindgen(context)?;
    setup::wasm_pack(context)?;
    let programs = setup::build_tools(context)?;
    let package = build(context, route, &programs)?;
    println!("the npm package is in {}", package.display());
    Ok(package)
}

/// Builds the package and returns its folder. `programs` is the folder of the build tools from npm.
pub(crate) fn build(context: &Context, route: Route, programs: &Path) -> Result<PathBuf> {
    let package = context.root.join("dist-npm");
    let mut wasm_pack = context.command("wasm-pack");
    route.published(&mut wasm_pack);
    // The wasm-bindgen on the search path is the right one. If the compiler is not rustup's, wasm-pack must not look
    // for rustup.
    let mode = if route == Route::Debian { "force" } else { "no-install" };
    wasm_pack.args(["build", "--profile", "page", "--no-opt", "--target", "web"]);
    wasm_pack.args(["--out-name", "tidegate", "--mode", mode, "--out-dir"]);
    wasm_pack.arg(&package).arg("crates/wasm");
    // Selected together with the page, the package shares its dependencies; with fewer features they would be
    // recompiled.
    wasm_pack.args(["--", "--package", "tidegate-wasm", "--package", "tidegate-web"]);
    process::quietly(&mut wasm_pack)?;
    page::optimise(context, programs, &package.join("tidegate_bg.wasm"))?;
    let assemble = context.root.join("crates/wasm/entry/assemble.mjs");
    process::quietly(context.command("node").arg(assemble).arg(&package))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(context.root.join(licence), package.join(licence))
            .with_context(|| format!("cannot copy {licence}"))?;
    }
    Ok(package)
}

/// Tests the built package in node, and returns the output and whether it passed.
pub(crate) fn smoke_test(context: &Context, package: &Path) -> Result<(bool, String)> {
    let script = context.root.join("crates/wasm/tests/smoke.mjs");
    if !script.is_file() {
        bail!("{} is missing", script.display());
    }
    process::tee(context.command("node").arg(script).arg(package))
        .context("cannot test the npm package in node")
}
