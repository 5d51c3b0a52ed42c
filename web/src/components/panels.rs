//! Panels of the execution that the engine makes: its ledger, and other schedules.

use super::view::acting;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::Panel;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A panel that can be folded; the engine is asked for it while it is open.
pub(super) fn panel(state: State, class: &'static str, name: &'static str, what: Panel) -> El {
    let open = if what == Panel::Ledger { state.ledger } else { state.schedules };
    let sheet = Memo::new(move |_| open.get().then(|| state.panel(what)).flatten().map(Arc::new));
    let body = div("panel__body");
    show_sheet(&body.element(), move || sheet.get());
    details(class)
        .bind("open", move || open.get())
        .on("toggle", move |event| {
            let folded = event.target().and_then(|it| it.dyn_into::<Element>().ok());
            state.fold(open, folded.is_some_and(|it| it.has_attribute("open")));
        })
        .with((summary("panel__name").with(name), acting(state, body)))
}
