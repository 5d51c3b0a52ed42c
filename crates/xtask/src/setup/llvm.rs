//! LLVM's assembler and compilers, which the tests of targets, lowerings and compiled sources call.

use super::debian;
use crate::context::Context;
use anyhow::{Context as _, Result, bail};

const PROGRAMS: [&str; 3] = ["llvm-mc-22", "llc-22", "clang-22"];
const PACKAGES: [&str; 2] = ["llvm-22", "clang-22"];

/// Installs `llvm-mc-22`, `llc-22` and `clang-22` if they are not on the search path.
pub(crate) fn llvm(context: &Context) -> Result<()> {
    if is_there(context) {
        return Ok(());
    }
    debian::install(context, &PACKAGES, "once, for the tests with LLVM's tools, about 400 MB")
        .context("llvm-mc-22, llc-22 and clang-22 not found: install LLVM 22 with these names")?;
    if !is_there(context) {
        bail!(
            "Debian's {} are installed but {} are not on the search path",
            PACKAGES.join(" and "),
            PROGRAMS.join(", ")
        );
    }
    Ok(())
}

fn is_there(context: &Context) -> bool {
    PROGRAMS.iter().all(|program| context.which(&[program]).is_some())
}
