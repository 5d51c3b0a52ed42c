//! The front ends for compiled code, a module that loads when the first compiled code is opened.

use protocol::{BUILD, pack, unpack};
use tidegate_check::reader;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// Reads a [`Code`](tidegate_check::lang::compiled::Code) and returns its
/// [`Reading`](tidegate_check::lang::compiled::Reading), both packed; empty for an unreadable request.
#[wasm_bindgen]
#[must_use]
pub fn read(code: &[u8]) -> Vec<u8> {
    unpack(code).map(|code| pack(&reader::read(&code))).unwrap_or_default()
}

/// Returns the build identifier, [`protocol::BUILD`].
#[wasm_bindgen]
#[must_use]
pub fn build() -> String {
    BUILD.into()
}
