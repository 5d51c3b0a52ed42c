//! Relations in words, as the engine describes them.

use super::document::{Document, any_action};
use super::tabs::TabPanel;
use crate::state::State;
use crate::state::relating::TAB;
use leptos::prelude::*;
use std::sync::Arc;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: TAB,
    name: "Relations",
    view: || view! { <Relations/> }.into_any(),
};

/// The drawn relations and the explanations of their lines.
#[component]
fn Relations() -> impl IntoView {
    let state = State::expect();
    // The panel is made again with a folded table.
    state.fold_table(true);
    let page = Signal::derive(move || {
        let view = state.execution.relating.view;
        view.with(|view| view.as_ref().map(|view| Arc::new(view.page.clone())))
    });
    view! {
        <p class="calm" hidden=move || state.chrome.engine.get()>
            "Relations are available once the engine has loaded."
        </p>
        <Document class="relations" page act=any_action(state)/>
    }
}
