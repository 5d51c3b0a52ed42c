//! The editor's requests. Positions are UTF-16 code units, as in the browser.
#![allow(unreachable_pub, reason = "exports to the browser must be public")]

use js_sys::Array;
use protocol::tints as triples;
use tidegate_check::lang::assist::{CandidateKind, complete, hover};
use tidegate_check::lang::format;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the colours of a text: [`protocol::tints`].
#[wasm_bindgen]
#[must_use]
pub fn tints(text: &str) -> Vec<u32> {
    triples(text)
}

/// Returns the meaning of the word at a position: its start and end, the word, its meaning, the source, and how an operation
/// is written. Empty for a word without a meaning.
#[wasm_bindgen]
#[must_use]
pub fn meaning(text: &str, place: u32) -> Array {
    let Some(found) = hover(text, byte(text, place)) else { return Array::new() };
    let start = found.span.start as usize;
    let end = start + found.span.length as usize;
    let places = [start, end].map(|at| JsValue::from(unit(text, at)));
    let meaning = &found.meaning;
    let words = [&*found.word, &*meaning.sentence, &*meaning.source, &*found.signature];
    let words = words.map(JsValue::from);
    places.into_iter().chain(words).collect()
}

/// Returns the completions at a position: the start of the current word, then for each candidate its text, its kind (0 word of
/// the language, 1 operation, 2 declared name, 3 identifier), its meaning, and the statement with fields that it begins.
#[wasm_bindgen]
#[must_use]
pub fn candidates(text: &str, place: u32) -> Array {
    let found = complete(text, byte(text, place));
    let kind = |kind| match kind {
        CandidateKind::Word => 0,
        CandidateKind::Operation => 1,
        CandidateKind::Name => 2,
        CandidateKind::Identifier => 3,
    };
    let parts = found.candidates.iter().flat_map(|one| {
        let words = [&*one.means, &*one.statement].map(JsValue::from);
        [JsValue::from(&*one.text), JsValue::from(kind(one.kind))].into_iter().chain(words)
    });
    std::iter::once(JsValue::from(unit(text, found.start))).chain(parts).collect()
}

/// Formats the text; `None` if it has errors.
#[wasm_bindgen]
#[must_use]
pub fn laid_out(text: &str) -> Option<String> {
    format(text).ok()
}

/// Returns the byte offset of a position; the end of the text if the position is after it.
fn byte(text: &str, place: u32) -> usize {
    let mut units = 0;
    let at = text.char_indices().find(|(_, letter)| {
        let here = units >= place;
        units += letter.len_utf16() as u32;
        here
    });
    at.map_or(text.len(), |(at, _)| at)
}

fn unit(text: &str, byte: usize) -> u32 {
    text.get(..byte).map_or(0, |before| before.encode_utf16().count() as u32)
}

#[cfg(test)]
mod tests {
    use super::{byte, unit};

    #[test]
    fn places_go_both_ways() {
        let text = "é\u{1f600}x";
        for (at, place) in [(0, 0), (2, 1), (6, 3), (7, 4)] {
            assert_eq!((byte(text, place), unit(text, at)), (at, place));
        }
        assert_eq!(byte(text, 99), text.len());
    }
}
