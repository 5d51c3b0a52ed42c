//! The benchmark of the checker.

use crate::context::Context;
use crate::process;
use anyhow::Result;

/// Runs the benchmark of the façade with optimisation.
pub(crate) fn run(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo
        .args(["bench", "--quiet", "--package", "tidegate-check", "--bench", "families", "--"])
        .args(words);
    process::run(&mut cargo)
}
