//! The browser for the tests of the page.

use super::debian;
use crate::context::Context;
use anyhow::{Context as _, Result, bail};
use std::env;
use std::path::PathBuf;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser in `CHROMIUM`, or one on the search path, or Debian's chromium, which it installs.
pub(crate) fn browser(context: &Context) -> Result<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        let named = PathBuf::from(named);
        if !named.is_file() {
            bail!("CHROMIUM names {}, which is not a file", named.display());
        }
        return Ok(named);
    }
    if let Some(found) = context.which(&NAMES) {
        return Ok(found);
    }
    debian::install(context, &["chromium"], "once, for the tests of the page")
        .context("no browser for the tests of the page: install Chromium or Chrome, or name one by CHROMIUM=/path/to/it")?;
    context.which(&NAMES).context("Debian's chromium is installed but not on the search path")
}
