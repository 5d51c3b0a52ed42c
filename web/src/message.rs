//! What the page and its worker say to each other.

use crate::engine::Report;
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};

/// A text to check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Number of the request; answers carry it, so that stale ones are known.
    pub seq: u32,
    /// The text.
    pub text: String,
    /// The target, where one was chosen over the scenario's own.
    pub target: Option<String>,
}

/// What the worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It can take a request.
    Ready,
    /// A check is under way.
    Progress {
        /// The request.
        seq: u32,
        /// States visited.
        states: u64,
        /// States still to be visited.
        frontier: u64,
    },
    /// A check is done.
    Done {
        /// The request.
        seq: u32,
        /// Its report.
        report: Box<Report>,
    },
}

/// A value as a message: bytes, which are smaller and faster than objects.
pub(crate) fn pack<T: Serialize>(value: &T) -> JsValue {
    postcard::to_allocvec(value)
        .map_or(JsValue::NULL, |bytes| Uint8Array::from(bytes.as_slice()).into())
}

/// A message as a value; none where it is something else.
pub(crate) fn unpack<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    let bytes = value.dyn_into::<Uint8Array>().ok()?.to_vec();
    postcard::from_bytes(&bytes).ok()
}
