//! The tabs below the text: explanation, relations, targets, readings.

use super::findings::why;
use super::problems::errors;
use super::readings::readings;
use super::relations::relations;
use super::tabs::{Named, id_of, tabs};
use super::targets::targets;
use crate::dom::*;
use crate::state::{State, Tab};
use leptos::prelude::*;

/// The tabs in order, each with its element's identifier and its name.
const TABS: [Named<Tab>; 4] = [
    (Tab::Why, "tab-why", "Why"),
    (Tab::Relations, "tab-relations", "Relations"),
    (Tab::Targets, "tab-targets", "Targets"),
    (Tab::Readings, "tab-readings", "Readings"),
];

/// The panel below the text.
pub(super) fn inquiry() -> El {
    let state = State::expect();
    let name = move || id_of(&TABS, state.tab.get());
    let shown = move || {
        let mut shown = Group::new();
        match state.tab.get() {
            Tab::Why => shown.add(why(state)),
            Tab::Relations => shown.add(relations(state)),
            Tab::Targets => shown.add(targets(state)),
            Tab::Readings => shown.add(readings(state)),
        }
        shown
    };
    let body = div("panel__body findings__body")
        .attr("id", "inquiry")
        .attr("role", "tabpanel")
        .attr("tabindex", "0")
        .bind("aria-labelledby", name)
        .toggle("findings--stale", move || state.stale())
        .says("aria-busy", move || state.stale() && state.running.get())
        .with((errors(), shown));
    let element = body.element();
    effect(Box::new(move || {
        // Each tab starts at its top, independent of the previous tab's scroll position.
        state.tab.track();
        element.set_scroll_top(0);
    }));
    section("panel findings").attr("aria-labelledby", "findings-name").with((
        h2("unseen").attr("id", "findings-name").with("Analysis"),
        tabs(
            ("Analysis", "inquiry"),
            &TABS,
            move || state.tab.get(),
            move |tab| state.show_tab(tab),
        ),
        body,
    ))
}
