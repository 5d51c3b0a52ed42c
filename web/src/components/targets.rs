//! The verdict on every target, and the machine code, as the engine creates them.

use super::view::acting;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::DocumentPage;
use std::sync::Arc;

/// The targets, grouped by result.
pub(super) fn targets(state: State) -> El {
    let cells = move || state.survey.with(|survey| survey.as_ref()?.matrix.clone().map(Arc::new));
    let calm = move || {
        let description = match state.valid.get() {
            true => "Checking every target…",
            false => "Fix the errors to check every target.",
        };
        cells().is_none().then(|| p("calm").with(description))
    };
    let stale = move || !state.is_surveyed();
    let code = move || {
        let judged = !state.judged_on.get().is_empty() && state.judged.get() > 0;
        judged.then(|| state.machine_code()).flatten().map(Arc::new)
    };
    let code = shown(state, section("machine-code").attr("aria-label", "Machine code"), code);
    let cells = shown(state, div(""), cells);
    div("matrix").with((
        div("").toggle("matrix--stale", stale).says("aria-busy", stale).with((calm, cells)),
        code,
    ))
}

fn shown(state: State, place: El, page: impl FnMut() -> Option<Arc<DocumentPage>> + 'static) -> El {
    show_page(&place.element(), page);
    acting(state, place)
}
