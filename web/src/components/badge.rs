//! A badge.

use super::icon::Icon;
use crate::verdict::{description, face};
use leptos::prelude::*;

/// A small badge of a verdict or a finding's class.
#[component]
pub(super) fn Badge(verdict: String) -> impl IntoView {
    let face = face(&verdict);
    view! {
        <span
            class="badge"
            data-tone=face.tone
            data-verdict=verdict.clone()
            title=description(&verdict)
        >
            <Icon name=face.tone/>
            {face.word}
        </span>
    }
}
