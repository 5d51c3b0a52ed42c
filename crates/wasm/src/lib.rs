//! The npm package: checks, steps, formats and links scenarios from JavaScript.
//!
//! Every function is synchronous and uses neither the network nor storage. Values are plain objects. Their TypeScript types are
//! generated from the Rust structs when the package is built. Errors of the caller are thrown; errors of a scenario are
//! part of its report.

pub mod catalogue;
pub mod check;
pub mod graph;
pub mod link;
pub mod mbarrier;
pub mod stepper;
pub mod types;
mod values;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!(concat!(env!("OUT_DIR"), "/types.ts"));

/// Returns the version of the engine.
#[wasm_bindgen(js_name = version)]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
