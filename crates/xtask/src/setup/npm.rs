//! Node, and the npm packages of a committed lock file.

use super::say::say;
use crate::context::Context;
use crate::process;
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

const OLDEST_NODE: u32 = 20;

/// Checks that node and npm exist.
fn node(context: &Context) -> Result<()> {
    let version = process::output(context.command("node").arg("--version")).unwrap_or_default();
    if !is_recent(&version) {
        bail!("node {OLDEST_NODE} or newer is needed ({}): see nodejs.org", found(&version));
    }
    process::output(context.command("npm").arg("--version"))
        .context("npm is needed beside node: see nodejs.org")?;
    Ok(())
}

fn found(version: &str) -> String {
    if version.is_empty() { "none was found".into() } else { format!("found {}", version.trim()) }
}

fn is_recent(version: &str) -> bool {
    let major = version.trim().trim_start_matches('v').split('.').next();
    major.and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= OLDEST_NODE)
}

/// Installs the packages of a lock file into its folder, unless exactly these are installed.
pub(crate) fn modules(context: &Context, folder: &Path) -> Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    let modules = folder.join("node_modules");
    let mark = modules.join(".installed-from-lock.json");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let shown = folder.strip_prefix(&context.root).unwrap_or(folder);
    say(&format!("npm packages of {}", shown.display()), "from its lock file");
    let mut npm = context.command("npm");
    npm.current_dir(folder).args(["ci", "--no-audit", "--no-fund"]);
    process::quietly(&mut npm)?;
    fs::create_dir_all(&modules)?;
    fs::write(mark, lock)?;
    Ok(())
}

/// Installs the packages from which the editor of the page is bundled.
pub(crate) fn editor(context: &Context) -> Result<()> {
    node(context)?;
    modules(context, &context.root.join("web/editor"))
}

/// Installs the npm build tools into the folder of tools and returns the folder of their programs.
pub(crate) fn build_tools(context: &Context) -> Result<PathBuf> {
    node(context)?;
    let source = context.root.join("crates/xtask/npm");
    let folder = context.tools.join("npm");
    fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(source.join(name), folder.join(name))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    modules(context, &folder)?;
    Ok(folder.join("node_modules/.bin"))
}

#[cfg(test)]
mod tests {
    use super::is_recent;

    #[test]
    fn versions_of_node() {
        assert!(is_recent("v20.19.2\n"));
        assert!(is_recent("v101.0.0"));
        assert!(!is_recent("v18.20.4"));
        assert!(!is_recent(""));
        assert!(!is_recent("node"));
    }
}
