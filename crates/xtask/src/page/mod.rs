//! Builds the page, serves it, and checks the size of what it loads.

mod exports;
mod weigh;

use crate::context::Context;
use crate::process;
use crate::setup::{self, Route};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Modules below this size in bytes are optimised until nothing changes, which takes minutes for larger ones.
const SMALL_MODULE: u64 = 2 << 20;

/// The features of WebAssembly that the compiler uses.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Installs missing tools and serves the page until it is interrupted.
pub(crate) fn serve(context: &Context, port: u16, release: bool, open: bool) -> Result<()> {
    let route = setup(context)?;
    course(context)?;
    let mut trunk = trunk(context);
    trunk.args(["serve", "--port", &port.to_string()]);
    if release {
        route.published(&mut trunk);
        trunk.arg("--release");
    } else {
        route.page(&mut trunk);
    }
    if open && has_screen() {
        trunk.arg("--open");
    }
    eprintln!("serving the page at http://127.0.0.1:{port}/ after the build; press Ctrl+C to stop");
    process::run(&mut trunk)
}

/// Whether a browser can be opened: on Linux only if a display is set.
fn has_screen() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// Installs missing tools and builds the published page.
pub(crate) fn build_with_setup(context: &Context) -> Result<()> {
    let route = setup(context)?;
    let programs = setup::build_tools(context)?;
    build(context, route, &programs)
}

fn setup(context: &Context) -> Result<Route> {
    let route = setup::targets(context)?;
    setup::wasm_bindgen(context)?;
    setup::trunk(context)?;
    setup::editor(context)?;
    Ok(route)
}

/// Builds the published page into `dist/`, and fails if it exceeds its budget. `programs` is the folder of the build
/// tools from npm.
pub(crate) fn build(context: &Context, route: Route, programs: &Path) -> Result<()> {
    setup::editor(context)?;
    course(context)?;
    let mut trunk = trunk(context);
    route.published(&mut trunk);
    process::run(trunk.args(["build", "--release"]))?;
    let dist = context.root.join("dist");
    for module in wasm_files(&dist)? {
        exports::leave_out_unused(context, programs, &module)?;
        optimise(context, programs, &module)?;
    }
    // The modules have changed since trunk wrote this file.
    process::run(context.command("node").arg("web/offline.mjs"))?;
    weigh::weigh(context, &dist)
}

/// Makes the pages of the course and of the bug reports, which trunk copies. The selection of crates and the profile are
/// those of the tests, so that nothing is compiled twice.
fn course(context: &Context) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.args(["build", "--quiet", "--profile", "test", "--bin", "tidegate-course"]);
    process::run(cargo.args(["--workspace", "--exclude", "tidegate-wasm"]))?;
    let pages = context.root.join("target/pages");
    if pages.exists() {
        fs::remove_dir_all(&pages).with_context(|| format!("cannot empty {}", pages.display()))?;
    }
    let program = context.built("tidegate-course");
    process::run(Command::new(program).current_dir(&context.root).args([".", "target/pages"]))
}

fn trunk(context: &Context) -> Command {
    let mut trunk = context.command("trunk");
    // Trunk requires NO_COLOR to be `true` or `false`, and would look for a newer version on the network.
    trunk.env_remove("NO_COLOR").env("TRUNK_SKIP_VERSION_CHECK", "true");
    trunk
}

/// Optimises a wasm module in place.
pub(crate) fn optimise(context: &Context, programs: &Path, module: &Path) -> Result<()> {
    let smaller = module.with_extension("smaller");
    let mut command = tool(context, programs, "wasm-opt")?;
    // The stack is below everything else, so no address is low enough for an offset to wrap around.
    command.arg("--low-memory-unused");
    // Long functions with one caller are not inlined: they compress better next to similar code.
    command.args(["--one-caller-inline-max-function-size", "30"]);
    // Control flow that is flattened and rebuilt is shorter than the compiler's.
    command.args(["--flatten", "--rereloop", "-Oz", "-Oz"]);
    if fs::metadata(module)?.len() < SMALL_MODULE {
        command.arg("--converge");
    }
    // Instances of a generic function have similar names and similar code, which compresses better side by side.
    command.arg("--reorder-functions-by-name");
    command.args(["--strip-producers", "--strip-target-features"]);
    command.args(FEATURES).arg("-o");
    process::quietly(command.arg(&smaller).arg(module))?;
    fs::rename(smaller, module)?;
    Ok(())
}

/// A program of the build tools from npm.
fn tool(context: &Context, programs: &Path, name: &str) -> Result<Command> {
    let program = programs.join(name);
    let program = program.to_str().context("the folder of tools has a name that is not UTF-8")?;
    Ok(context.command(program))
}

fn wasm_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} was not built", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
