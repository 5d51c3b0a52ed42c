//! Panels of the execution that the engine creates.

use super::document::Document;
use crate::state::State;
use leptos::prelude::*;
use protocol::Panel;
use protocol::document_page::Action;
use std::sync::Arc;

/// A panel whose content the engine creates while it is open.
#[component]
pub(super) fn Made(
    /// Its classes.
    #[prop(optional)]
    class: &'static str,
    /// Which panel it is.
    what: Panel,
    /// Whether it is open.
    #[prop(into)]
    open: Signal<bool>,
) -> impl IntoView {
    let state = State::expect();
    let page = Memo::new(move |_| open.get().then(|| state.panel(what)).flatten().map(Arc::new));
    // These panels request only plans; an embed has no other actions.
    let plan = move |word: &str, to: &str, value: &str| {
        if word == Action::Plan.word() {
            state.plan([to, value].concat());
        }
    };
    view! { <Document class page act=plan/> }
}
