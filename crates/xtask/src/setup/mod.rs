//! Set-up: each part checks whether it is installed. If not, it prints one line and installs it.

mod browser;
mod debian;
mod llvm;
mod npm;
mod tools;
mod wasm;

pub(crate) use browser::{Browser, CHROMIUM, FIREFOX, browser};
pub(crate) use llvm::llvm;
pub(crate) use npm::{build_tools, editor, modules};
pub(crate) use tools::{trunk, wasm_bindgen, wasm_pack};
pub(crate) use wasm::{Route, targets};

/// Prints what is being installed, and why it may take long.
fn say(what: &str, note: &str) {
    if note.is_empty() {
        eprintln!("installing {what}…");
    } else {
        eprintln!("installing {what} ({note})…");
    }
}
