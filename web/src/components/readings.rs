//! The readings that affect this scenario, as the engine describes them.

use super::view::acting;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use std::sync::Arc;

/// The readings, and a button that opens all of them.
pub(super) fn readings(state: State) -> El {
    let page = Memo::new(move |_| state.doubts().map(Arc::new));
    let list = div("");
    show_page(&list.element(), move || page.get());
    div("readings").with((
        acting(state, list),
        button("button readings__all").press(move || state.visit("#readings")).with("All readings"),
    ))
}
