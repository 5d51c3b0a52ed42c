//! Panels of the execution that the engine creates: its ledger and other schedules.

use super::view::asked;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::Panel;
use protocol::document_page::Action;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A foldable panel; the engine creates its content while it is open.
pub(super) fn panel(state: State, class: &'static str, name: &'static str, what: Panel) -> El {
    let open = if what == Panel::Ledger { state.ledger } else { state.schedules };
    let page = Memo::new(move |_| open.get().then(|| state.panel(what)).flatten().map(Arc::new));
    // These panels request only plans; an embed has no other actions.
    let plans = move |word: &str, to: &str, value: &str| {
        if word == Action::Plan.word() {
            state.plan([to, value].concat());
        }
    };
    let body = div("panel__body");
    show_page(&body.element(), move || page.get());
    details(class)
        .bind("open", move || open.get())
        .on("toggle", move |event| {
            let folded = event.target().and_then(|it| it.dyn_into::<Element>().ok());
            state.fold(open, folded.is_some_and(|it| it.has_attribute("open")));
        })
        .with((summary("panel__name").with(name), asked(body, plans)))
}
