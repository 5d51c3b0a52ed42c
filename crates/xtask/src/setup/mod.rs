//! Setting up: each part looks whether it is there, and installs it with one line of notice where it is not.

mod browser;
mod debian;
mod llvm;
mod npm;
mod tools;
mod wasm;

pub(crate) use browser::browser;
pub(crate) use llvm::llvm;
pub(crate) use npm::{build_tools, editor, modules};
pub(crate) use tools::{trunk, wasm_bindgen, wasm_pack};
pub(crate) use wasm::{Route, targets};

/// Says what is being installed, and why it may take a while.
fn say(what: &str, note: &str) {
    if note.is_empty() {
        eprintln!("installing {what}…");
    } else {
        eprintln!("installing {what} ({note})…");
    }
}
