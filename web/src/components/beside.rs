//! The state of the execution next to the lanes: barriers, agents, and the ledger, one at a time.

use super::agents::agents;
use super::objects::objects;
use super::panels::ledger;
use super::tabs::{Named, id_of, tabs};
use crate::dom::*;
use crate::state::{Beside, State};
use leptos::prelude::*;

const VIEWS: [Named<Beside>; 3] = [
    (Beside::Objects, "beside-objects", "Barriers"),
    (Beside::Agents, "beside-agents", "Agents"),
    (Beside::Ledger, "beside-ledger", "Ledger"),
];

/// The panel with the chosen view.
pub(super) fn beside(state: State) -> El {
    let shown = move || match state.beside.get() {
        Beside::Objects => objects(),
        Beside::Agents => agents(),
        Beside::Ledger => ledger(state),
    };
    let name = move || id_of(&VIEWS, state.beside.get());
    section("panel work__state").attr("aria-labelledby", "beside-name").with((
        h2("unseen").attr("id", "beside-name").with("State"),
        tabs(
            ("State", "beside"),
            &VIEWS,
            move || state.beside.get(),
            move |beside| state.show_beside(beside),
        ),
        div("panel__body")
            .attr("id", "beside")
            .attr("role", "tabpanel")
            .attr("tabindex", "0")
            .bind("aria-labelledby", name)
            .with(shown),
    ))
}
