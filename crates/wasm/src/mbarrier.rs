//! The 64-bit word of an mbarrier object: decoding and encoding.

use crate::types::{MbarrierField, MbarrierWord};
use crate::values::give;
use tidegate_check::model::ptx::word::{Fields, Layout, Operation, describe, encode, step};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// Decodes a word under a layout (`low-pending` or `high-pending`), with its fields from the highest bit down.
#[wasm_bindgen(js_name = decodeMbarrier, unchecked_return_type = "MbarrierWord")]
pub fn decode_mbarrier(word: u64, layout: &str) -> Result<JsValue, JsError> {
    give(&shown(layout_of(layout)?, word, false, false))
}

/// Encodes these counts as a word under a layout.
#[wasm_bindgen(js_name = encodeMbarrier, unchecked_return_type = "MbarrierWord")]
pub fn encode_mbarrier(
    layout: &str,
    expected: u32,
    pending: u32,
    tx: i32,
    parity: bool,
) -> Result<JsValue, JsError> {
    let layout = layout_of(layout)?;
    let fields = Fields { parity, pending, expected, ..Fields::default() }.with_tx(tx);
    give(&shown(layout, encode(layout, fields), false, false))
}

/// Performs an operation (`init`, `arrive`, `arrive_drop`, `expect_tx`, `complete_tx`, `arrive.expect_tx`) with a count or
/// bytes on a word under a layout.
#[wasm_bindgen(js_name = stepMbarrier, unchecked_return_type = "MbarrierWord")]
pub fn step_mbarrier(
    word: u64,
    layout: &str,
    operation: &str,
    count: i32,
) -> Result<JsValue, JsError> {
    let layout = layout_of(layout)?;
    let counted = || {
        u32::try_from(count)
            .map_err(|_| JsError::new("invalid count: expected a number that is not negative"))
    };
    let operation = match operation {
        "init" => Operation::Init(counted()?),
        "arrive" => Operation::Arrive(counted()?),
        "arrive_drop" => Operation::ArriveDrop(counted()?),
        "expect_tx" => Operation::ExpectTx(count),
        "complete_tx" => Operation::CompleteTx(count),
        "arrive.expect_tx" => Operation::ArriveExpectTx(count),
        _ => return Err(JsError::new(&format!("unknown operation `{operation}`"))),
    };
    let stepped = step(layout, word, operation);
    give(&shown(layout, stepped.word, stepped.completes, stepped.wraps))
}

fn layout_of(name: &str) -> Result<Layout, JsError> {
    Layout::from_name(name).ok_or_else(|| {
        JsError::new(&format!("unknown layout `{name}`: expected `low-pending` or `high-pending`"))
    })
}

fn shown(layout: Layout, word: u64, completes: bool, wraps: bool) -> MbarrierWord {
    let field = |field: tidegate_check::model::ptx::word::Shown| MbarrierField {
        name: field.name.into(),
        high: field.bits.0,
        low: field.bits.1,
        value: field.value as i32,
        certainty: field.certainty.word().into(),
        why: field.why.into(),
    };
    MbarrierWord {
        word: format!("0x{word:016x}"),
        layout: layout.name().into(),
        fields: describe(layout, word).map(field).into(),
        completes,
        wraps,
    }
}
