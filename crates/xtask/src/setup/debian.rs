//! Packages of Debian and its relatives.

use super::say::say;
use crate::context::Context;
use crate::process;
use anyhow::{Result, bail};
use std::process::Command;

/// The packages that are not installed.
pub(super) fn missing<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    packages.iter().copied().filter(|package| !installed(package)).collect()
}

fn installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${Status}", package]);
    process::output(&mut query).is_some_and(|status| status == "install ok installed")
}

/// Installs packages, as root or with sudo if it asks for no password.
pub(super) fn install(context: &Context, packages: &[&str], note: &str) -> Result<()> {
    let names = packages.join(" ");
    if context.which(&["apt-get"]).is_none() {
        bail!("this system has no apt-get: install {names} by hand, then run this again");
    }
    let Some(prefix) = privilege(context) else {
        bail!(
            "{names} must be installed by an administrator: `sudo apt-get install {names}`, then run this again"
        );
    };
    say(&format!("{names} from Debian"), note);
    // The package lists may be outdated or absent. A failed update is not a reason to stop.
    let renewed = process::quietly(&mut apt(prefix, &["update"]));
    process::quietly(apt(prefix, &["install", "--yes", "--no-install-recommends"]).args(packages))
        .or_else(|error| renewed.and(Err(error)))
}

/// The prefix of a command that needs an administrator, or `None` without permission.
fn privilege(context: &Context) -> Option<&'static [&'static str]> {
    let is_root = process::output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    if is_root {
        return Some(&[]);
    }
    let has_sudo = context.which(&["sudo"]).is_some()
        && process::output(Command::new("sudo").args(["--non-interactive", "true"])).is_some();
    has_sudo.then_some(&["sudo", "--non-interactive"])
}

fn apt(prefix: &[&str], arguments: &[&str]) -> Command {
    let mut words =
        prefix.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]);
    let mut command = Command::new(words.next().copied().unwrap_or("apt-get"));
    command.args(words).args(arguments);
    command
}
