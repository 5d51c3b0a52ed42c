//! The engine's connection to the front ends for compiled code, which are a module of their own.

use protocol::{BUILD, pack, unpack};
use tidegate_check::lang::compiled::{Code, Reading};
use tidegate_check::reader;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./compiled.js")]
extern "C" {
    /// Reads code; `None` before the module has loaded.
    #[wasm_bindgen(js_name = read)]
    fn ask(code: &[u8]) -> Option<Vec<u8>>;
    #[wasm_bindgen(js_name = isLoaded)]
    pub(crate) fn is_loaded() -> bool;
    #[wasm_bindgen(catch, js_name = load)]
    async fn fetch(build: &str) -> Result<JsValue, JsValue>;
}

/// Lets the engine read compiled code by the other module.
pub(crate) fn connect() {
    reader::read_by(read);
}

fn read(code: &Code) -> Option<Reading> {
    unpack(&ask(&pack(code))?)
}

/// Loads the module. Without it the answer about a compiled text says that it is missing.
pub(crate) async fn load() {
    let _ = fetch(BUILD).await;
}
