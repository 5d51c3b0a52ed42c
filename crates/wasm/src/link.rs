//! Share links.

use crate::types::{Shareable, SharedScenario};
use crate::values::{give, take};
use tidegate_check::link::{self, Shared};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// Returns the fragment (`#v1.…`) of a link to a scenario. Append it to the address of a page.
#[wasm_bindgen(js_name = encodeLink)]
pub fn encode_link(
    #[wasm_bindgen(unchecked_param_type = "Shareable")] shareable: JsValue,
) -> Result<String, JsError> {
    let Shareable { text, target, steps, verdict, readings } = take(shareable)?;
    Ok(link::encode(&Shared {
        text,
        target,
        steps,
        verdict,
        readings,
        engine: env!("CARGO_PKG_VERSION").into(),
        panels: String::new(),
    }))
}

/// Returns the content of a link, from a whole address or its fragment; throws if it is invalid.
#[wasm_bindgen(js_name = decodeLink, unchecked_return_type = "SharedScenario")]
pub fn decode_link(address: &str) -> Result<JsValue, JsError> {
    let Shared { text, target, steps, engine, verdict, readings, .. } =
        link::decode(address).map_err(|error| JsError::new(&error.to_string()))?;
    give(&SharedScenario { text, target, steps, engine, verdict, readings })
}
