//! The readings that affect this scenario, as the engine describes them.

use super::press;
use super::document::{Document, any_action};
use super::tabs::TabPanel;
use crate::state::State;
use leptos::prelude::*;
use std::sync::Arc;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "readings",
    name: "Readings",
    view: || view! { <Readings/> }.into_any(),
};

/// The readings, and a button that opens all of them.
#[component]
fn Readings() -> impl IntoView {
    let state = State::expect();
    let page = Memo::new(move |_| state.doubts().map(Arc::new));
    view! {
        <div class="readings">
            <Document page act=any_action(state)/>
            <button
                class="button readings__all"
                type="button"
                on:click=press(move || state.visit("#readings"))
            >
                "All readings"
            </button>
        </div>
    }
}
