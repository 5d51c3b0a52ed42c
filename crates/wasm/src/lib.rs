//! The npm package: judging, stepping, formatting and linking scenarios from JavaScript.
//!
//! Every function is synchronous and touches neither network nor storage. Values are plain objects whose TypeScript
//! types are written from the Rust structs when the package is built. Errors of the caller are thrown; what is wrong
//! with a scenario is part of its report.

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

/// The version of the engine.
#[wasm_bindgen(js_name = version)]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
