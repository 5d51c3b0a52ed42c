//! The browsers for the tests of the page.

use super::debian;
use crate::context::Context;
use anyhow::{Context as _, Result, bail};
use std::env;
use std::path::PathBuf;

/// A browser that runs tests of the page.
pub(crate) struct Browser {
    /// The environment variable that names its program.
    pub(crate) variable: &'static str,
    /// The names of its program.
    programs: &'static [&'static str],
    /// The package of Debian.
    package: &'static str,
}

/// Runs all cases.
pub(crate) const CHROMIUM: Browser = Browser {
    variable: "CHROMIUM",
    programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium",
};

/// Runs the cases of `firefox.mjs`.
pub(crate) const FIREFOX: Browser =
    Browser { variable: "FIREFOX", programs: &["firefox-esr", "firefox"], package: "firefox-esr" };

/// The browser in its environment variable, or one on the search path, or Debian's, which it installs.
pub(crate) fn browser(context: &Context, browser: &Browser) -> Result<PathBuf> {
    let Browser { variable, programs, package } = *browser;
    if let Some(named) = env::var_os(variable) {
        let named = PathBuf::from(named);
        if !named.is_file() {
            bail!("{variable} names {}, which is not a file", named.display());
        }
        return Ok(named);
    }
    if let Some(found) = context.which(programs) {
        return Ok(found);
    }
    debian::install(context, &[package], "once, for the tests of the page").with_context(|| {
        format!("a browser for the tests of the page is missing: install {package}, or name it by {variable}=/path/to/it")
    })?;
    context
        .which(programs)
        .with_context(|| format!("Debian's {package} is installed but not on the search path"))
}
