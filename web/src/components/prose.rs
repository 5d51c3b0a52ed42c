//! Sentences with code in them.

use leptos::prelude::*;

/// A sentence; text between backticks is code.
#[component]
pub(super) fn Prose(
    /// The sentence.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let parts = text.split('`').enumerate();
    parts
        .map(|(index, part)| match (index % 2, part.to_owned()) {
            (1, part) => view! { <code>{part}</code> }.into_any(),
            (_, part) => part.into_any(),
        })
        .collect_view()
}
