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

/// Other schedules, folded by default.
pub(super) fn schedules(state: State) -> El {
    details("schedules")
        .bind("open", move || state.schedules.get())
        .on("toggle", move |event| {
            let folded = event.target().and_then(|it| it.dyn_into::<Element>().ok());
            state.fold_schedules(folded.is_some_and(|it| it.has_attribute("open")));
        })
        .with((
            summary("panel__name").with("Schedules"),
            made(state, "panel__body", Panel::Schedules, move || state.schedules.get()),
        ))
}

/// Who arrives at and waits for each barrier.
pub(super) fn ledger(state: State) -> El {
    made(state, "", Panel::Ledger, || true)
}

/// A panel whose content the engine creates while it is open.
fn made(
    state: State,
    class: &'static str,
    what: Panel,
    open: impl Fn() -> bool + Send + Sync + 'static,
) -> El {
    let page = Memo::new(move |_| open().then(|| state.panel(what)).flatten().map(Arc::new));
    // These panels request only plans; an embed has no other actions.
    let plans = move |word: &str, to: &str, value: &str| {
        if word == Action::Plan.word() {
            state.plan([to, value].concat());
        }
    };
    let body = div(class);
    show_page(&body.element(), move || page.get());
    asked(body, plans)
}
