//! Set-up: each part checks whether it is installed. If not, it prints one line and installs it.

mod browser;
mod debian;
mod llvm;
mod npm;
mod say;
mod tools;
mod wasm;

pub(crate) use browser::{Browser, CHROMIUM, FIREFOX, browser};
pub(crate) use llvm::llvm;
pub(crate) use npm::{build_tools, editor, modules};
pub(crate) use tools::{trunk, wasm_bindgen, wasm_pack};
pub(crate) use wasm::{Route, targets};
