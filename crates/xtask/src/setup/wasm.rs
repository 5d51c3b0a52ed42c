//! The wasm targets of the compiler: from rustup, or from Debian's `rustc-web` with a rebuilt standard library.

use super::debian;
use super::say::say;
use crate::context::Context;
use crate::process;
use anyhow::{Result, bail};
use std::env;
use std::path::Path;
use std::process::Command;

/// The target of the page and of the npm package.
pub(crate) const PAGE: &str = "wasm32-unknown-unknown";
/// A target without a standard library, to check that the library crates need none.
pub(crate) const BARE: &str = "wasm32v1-none";

/// Options that reduce the published page, in addition to the rebuilt standard library: no locations and no text in
/// panics, which abort at once, no text of derived `Debug`, and views without their types. They have no visible effect.
const SMALL: &str = "-Zlocation-detail=none -Zfmt-debug=none -Zunstable-options \
                     -Cpanic=immediate-abort --cfg erase_components";

const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const DEBIAN_TOOLCHAIN: &str = "debian-web";

/// The source of the standard library for the wasm targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The pinned toolchain has the targets.
    Pinned,
    /// Debian's compiler builds the standard library for them.
    Debian,
}

impl Route {
    /// Sets up a program that compiles for [`PAGE`]: cargo itself or one that calls it.
    pub(crate) fn page(self, command: &mut Command) {
        self.apply(command, "std,panic_abort");
    }

    /// Sets up a program that compiles the published page, with a standard library built for size. These settings are
    /// unstable in the pinned compiler; no other build uses them.
    pub(crate) fn published(self, command: &mut Command) {
        self.page(command);
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
            .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", SMALL)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("RUSTFLAGS");
    }

    /// Sets up a cargo that compiles for [`BARE`].
    pub(crate) fn bare(self, command: &mut Command) {
        self.apply(command, "core,alloc");
    }

    fn apply(self, command: &mut Command, crates: &str) {
        if self == Self::Debian {
            command
                .env("RUSTUP_TOOLCHAIN", DEBIAN_TOOLCHAIN)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_UNSTABLE_BUILD_STD", crates)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22")
                .env("CARGO_TARGET_WASM32V1_NONE_LINKER", "wasm-ld-22");
        }
    }
}

/// Provides both wasm targets, and returns how. `TIDEGATE_WASM_ROUTE=rustup` or `debian` allows only that source.
pub(crate) fn targets(context: &Context) -> Result<Route> {
    let wanted = env::var("TIDEGATE_WASM_ROUTE").unwrap_or_default();
    let route = match wanted.as_str() {
        "" => pinned(context).or_else(|reason| {
            eprintln!("{reason:#}; using Debian's rustc-web instead");
            debian(context)
        })?,
        "rustup" => pinned(context)?,
        "debian" => debian(context)?,
        other => bail!("TIDEGATE_WASM_ROUTE is `{other}`; valid values are `rustup` and `debian`"),
    };
    eprintln!(
        "wasm targets: {}",
        match route {
            Route::Pinned => "from the pinned toolchain",
            Route::Debian => "from Debian's rustc-web, with a rebuilt standard library",
        }
    );
    Ok(route)
}

fn pinned(context: &Context) -> Result<Route> {
    let missing: Vec<&str> =
        [PAGE, BARE].into_iter().filter(|target| !has_target(context, target)).collect();
    let source = has_source(context);
    if missing.is_empty() && source {
        return Ok(Route::Pinned);
    }
    if context.which(&["rustup"]).is_none() {
        let absent =
            missing.into_iter().chain((!source).then_some("source of the standard library"));
        let absent: Vec<&str> = absent.collect();
        bail!("the compiler has no {}, and rustup is not installed", absent.join(", no "));
    }
    if !missing.is_empty() {
        say(&format!("the compilation targets {}", missing.join(" and ")), "once, by rustup");
        process::quietly(context.command("rustup").args(["target", "add"]).args(&missing))?;
    }
    if !source {
        say("the source of the standard library, for a small page", "once, by rustup");
        process::quietly(context.command("rustup").args(["component", "add", "rust-src"]))?;
    }
    Ok(Route::Pinned)
}

/// Whether the compiler has the source of its standard library, with which the published page is built.
fn has_source(context: &Context) -> bool {
    let root = process::output(context.command("rustc").args(["--print", "sysroot"]));
    root.is_some_and(|root| {
        Path::new(root.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").is_file()
    })
}

fn has_target(context: &Context, target: &str) -> bool {
    let mut rustc = context.command("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    process::output(&mut rustc).is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

fn debian(context: &Context) -> Result<Route> {
    let missing = debian::missing(&DEBIAN_PACKAGES);
    if !missing.is_empty() {
        debian::install(context, &missing, "once, about 700 MB")?;
    }
    let linked = process::output(context.command("rustup").args(["toolchain", "list"]))
        .is_some_and(|list| list.lines().any(|line| line.starts_with(DEBIAN_TOOLCHAIN)));
    if !linked {
        process::quietly(context.command("rustup").args([
            "toolchain",
            "link",
            DEBIAN_TOOLCHAIN,
            "/usr",
        ]))?;
    }
    Ok(Route::Debian)
}
