//! Sentences with code in them.

use crate::dom::*;

/// A sentence; text between backticks is code.
pub(super) fn prose(text: &str) -> Group {
    let mut sentence = Group::new();
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            1 => sentence.add(code("").with(part)),
            _ => sentence.add(part),
        }
    }
    sentence
}
