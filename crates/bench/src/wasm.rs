//! Times of the engine for WebAssembly: in node, and in Chromium.

use crate::case::Case;
use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
}

/// Median milliseconds of the checks of a case.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Times {
    /// In node.
    pub node: f64,
    /// In Chromium, if it is installed.
    pub chromium: Option<f64>,
}

/// Measures cases with the npm package in a folder. `root` is the repository: the browser is started as its tests do.
pub(crate) fn run(cases: &[&Case], package: &Path, root: &Path) -> Result<Vec<Times>> {
    let rows: Vec<Row<'_>> = cases.iter().map(|case| Row { text: &case.text }).collect();
    let mut node = Command::new("node")
        .arg(root.join("crates/bench/src/wasm.mjs"))
        .arg(package)
        .arg(root.join("web/tests"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run node")?;
    let mut input = node.stdin.take().context("no input")?;
    let rows = serde_json::to_vec(&rows)?;
    let write = std::thread::spawn(move || input.write_all(&rows));
    let output = node.wait_with_output()?;
    if !output.status.success() {
        bail!("the measurement of the npm package failed");
    }
    if !matches!(write.join(), Ok(Ok(()))) {
        bail!("node did not read the scenarios");
    }
    serde_json::from_slice(&output.stdout).context("cannot read the times of the npm package")
}
