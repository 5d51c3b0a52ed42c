//! Sentences with code in them.

use leptos::prelude::*;

/// A sentence; what stands between backticks is code.
pub(super) fn prose(text: &str) -> Vec<AnyView> {
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 => any! { <code>{part.to_owned()}</code> }.into_any(),
        _ => part.to_owned().into_any(),
    };
    text.split('`').enumerate().map(part).collect()
}
