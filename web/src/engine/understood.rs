//! What was understood of compiled code: the class of each line, and the line of the source from which it comes.
#![allow(unreachable_pub, reason = "exports to the browser must be public")]

use js_sys::Array;
use tidegate_check::Scene;
use tidegate_check::lang::LineClass;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What was understood of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Understood {
    /// Lines and the numbers of their classes, in pairs.
    classes: Vec<u32>,
    /// Lines with debug information, and their places in the source.
    places: Vec<(u32, String)>,
}

/// Returns what was understood of a scenario; empty if it is no compiled code.
pub(crate) fn of(scene: &Scene) -> Understood {
    let classes = scene.line_classes();
    if classes.is_empty() {
        return Understood::default();
    }
    let number = |class| match class {
        LineClass::Synchronises => 0,
        LineClass::Accesses => 1,
        LineClass::Branches => 2,
        LineClass::Computes => 3,
        LineClass::Ignored => 4,
        LineClass::NotModelled => 5,
    };
    let place = |line: u32| {
        let from = scene.compiled_from(line)?;
        Some((line, format!("{}:{}", from.file, from.line)))
    };
    Understood {
        classes: classes.iter().flat_map(|&(line, class)| [line, number(class)]).collect(),
        places: classes.iter().filter_map(|&(line, _)| place(line)).collect(),
    }
}

/// Returns what was understood of a text: pairs of a line and its class (0 synchronises, 1 accesses memory, 2 branches,
/// 3 only computes, 4 ignored, 5 not modelled), then pairs of a line and its place in the source.
#[wasm_bindgen]
#[must_use]
pub fn understood(text: &str) -> Array {
    let found = crate::SESSION.with_borrow(|session| session.understood(text));
    let classes = found.classes.into_iter().map(JsValue::from).collect::<Array>();
    let pair = |(line, place): (u32, String)| [JsValue::from(line), JsValue::from(place)];
    let places = found.places.into_iter().flat_map(pair);
    [classes, places.collect::<Array>()].into_iter().collect()
}

/// Returns the fragment of the passage about an operation, a rule or another word; empty if there is none.
#[wasm_bindgen]
#[must_use]
pub fn passage(word: &str) -> String {
    crate::SESSION.with_borrow(|session| session.passage(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;

    #[test]
    fn only_compiled_code_is_understood_by_lines() {
        assert_eq!(
            of(&scene("launch waves=2\nwave * { arrive wg; wait wg }\n")),
            Understood::default()
        );
    }
}
