//! LLVM's assembler and compiler, which the tests of targets and lowerings call.

use super::debian;
use crate::context::Context;
use anyhow::{Context as _, Result, bail};

const PROGRAMS: [&str; 2] = ["llvm-mc-22", "llc-22"];
const PACKAGE: &str = "llvm-22";

/// Installs `llvm-mc-22` and `llc-22` if they are not on the search path.
pub(crate) fn llvm(context: &Context) -> Result<()> {
    if is_there(context) {
        return Ok(());
    }
    debian::install(context, &[PACKAGE], "once, for the tests with LLVM's assembler, about 250 MB")
        .context("llvm-mc-22 and llc-22 not found: install LLVM 22 with these program names")?;
    if !is_there(context) {
        bail!(
            "Debian's {PACKAGE} is installed but {} are not on the search path",
            PROGRAMS.join(" and ")
        );
    }
    Ok(())
}

fn is_there(context: &Context) -> bool {
    PROGRAMS.iter().all(|program| context.which(&[program]).is_some())
}
