//! Programs that cargo installs once into the folder of tools, in exactly the required version.

use super::say::say;
use crate::context::Context;
use crate::process;
use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::process::Command;

const TRUNK: Tool<'static> = Tool {
    package: "trunk",
    program: "trunk",
    version: "0.21.14",
    locked: true,
    note: "once, about six minutes",
};
const WASM_PACK: Tool<'static> = Tool {
    package: "wasm-pack",
    program: "wasm-pack",
    version: "0.15.1",
    locked: true,
    note: "once, about two minutes",
};

struct Tool<'a> {
    package: &'a str,
    program: &'a str,
    version: &'a str,
    locked: bool,
    note: &'a str,
}

/// Installs trunk if it is missing.
pub(crate) fn trunk(context: &Context) -> Result<()> {
    install(context, &TRUNK)
}

/// Installs wasm-pack if it is missing.
pub(crate) fn wasm_pack(context: &Context) -> Result<()> {
    install(context, &WASM_PACK)
}

/// Installs wasm-bindgen in the version of the library in Cargo.lock if it is missing.
pub(crate) fn wasm_bindgen(context: &Context) -> Result<()> {
    let lock =
        fs::read_to_string(context.root.join("Cargo.lock")).context("there is no Cargo.lock")?;
    let version =
        locked_version(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    // Without its own lock file, which may name versions that a registry does not have yet.
    let tool = Tool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: &version,
        locked: false,
        note: "once for each version, about two minutes",
    };
    install(context, &tool)
}

/// The version of a package in a cargo lock file.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let lock: toml::Table = toml::from_str(lock).ok()?;
    let packages = lock.get("package")?.as_array()?;
    let entry = packages
        .iter()
        .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(package))?;
    entry.get("version")?.as_str().map(String::from)
}

fn install(context: &Context, tool: &Tool<'_>) -> Result<()> {
    if is_there(context, tool) {
        return Ok(());
    }
    say(&format!("{} {}", tool.package, tool.version), tool.note);
    let mut cargo = outside(context);
    cargo.args([
        "install",
        "--quiet",
        "--force",
        tool.package,
        "--version",
        &format!("={}", tool.version),
    ]);
    cargo.arg("--root").arg(&context.tools);
    if tool.locked {
        cargo.arg("--locked");
    }
    process::quietly(&mut cargo).with_context(|| {
        format!(
            "cannot install {}: check that a C compiler is installed and crates.io is reachable",
            tool.package
        )
    })?;
    // The results of this build are not needed any more.
    let _ = fs::remove_dir_all(context.tools.join("build"));
    if !is_there(context, tool) {
        bail!("{} was installed into {} but does not run", tool.package, context.tools.display());
    }
    Ok(())
}

/// Whether the first program of that name on our search path has the required version.
fn is_there(context: &Context, tool: &Tool<'_>) -> bool {
    let Some(program) = context.which(&[tool.program]) else { return false };
    let version =
        process::output(Command::new(program).arg("--version").current_dir(&context.tools));
    version.is_some_and(|text| text.split_whitespace().any(|word| word == tool.version))
}

/// A cargo that uses neither the settings nor the folder of build results of the repository. It uses the compiler of
/// this task, which is known to exist.
fn outside(context: &Context) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&context.tools).env("PATH", context.path());
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_setting(name)) {
        cargo.env_remove(name);
    }
    cargo.env("CARGO_TARGET_DIR", context.tools.join("build"));
    cargo
}

fn is_setting(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let prefixes = [
        "CARGO_BUILD_",
        "CARGO_PROFILE_",
        "CARGO_TARGET_",
        "CARGO_UNSTABLE_",
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        || ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_BOOTSTRAP"].contains(&name.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_in_a_lock_file() {
        let lock = "version = 4\n[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "trunk"), None);
        assert_eq!(locked_version("not toml", "trunk"), None);
    }

    #[test]
    fn settings_of_a_workspace_are_ignored() {
        assert!(is_setting(&"CARGO_PROFILE_RELEASE_LTO".into()));
        assert!(is_setting(&"RUSTFLAGS".into()));
        assert!(!is_setting(&"CARGO_HOME".into()));
        assert!(!is_setting(&"RUSTUP_TOOLCHAIN".into()));
    }
}
