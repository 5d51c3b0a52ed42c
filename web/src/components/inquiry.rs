//! The tabs below the text: explanation, relations, targets, readings.

use super::findings::why;
use super::problems::problems;
use super::readings::readings;
use super::relations::relations;
use super::targets::targets;
use crate::dom::*;
use crate::state::{State, Tab};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, KeyboardEvent};

/// The tabs in order, each with its element's identifier and its name.
const TABS: [(Tab, &str, &str); 4] = [
    (Tab::Why, "tab-why", "Why"),
    (Tab::Relations, "tab-relations", "Relations"),
    (Tab::Targets, "tab-targets", "Targets"),
    (Tab::Readings, "tab-readings", "Readings"),
];

/// The panel below the text.
pub(super) fn inquiry() -> El {
    let state = State::expect();
    let name = move || TABS.iter().find(|tab| tab.0 == state.tab.get()).map(|tab| tab.1);
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
        .with((problems(), shown));
    let element = body.element();
    effect(Box::new(move || {
        // Each tab starts at its top, independent of the previous tab's scroll position.
        state.tab.track();
        element.set_scroll_top(0);
    }));
    section("panel findings").attr("aria-labelledby", "findings-name").with((
        h2("unseen").attr("id", "findings-name").with("Analysis"),
        tabs(state),
        body,
    ))
}

fn tabs(state: State) -> El {
    let tab = |(tab, id, name): (Tab, &'static str, &'static str)| {
        let chosen = move || state.tab.get() == tab;
        button("tab")
            .attr("role", "tab")
            .attr("id", id)
            .attr("aria-controls", "inquiry")
            .says("aria-selected", chosen)
            .bind("tabindex", move || if chosen() { "0" } else { "-1" })
            .press(move || state.show_tab(tab))
            .with(name)
    };
    div("tabs")
        .attr("role", "tablist")
        .attr("aria-label", "Analysis")
        .with(all(TABS.map(tab)))
        .on("keydown", move |event| move_along(state, &event))
}

/// Arrow keys select the adjacent tab and wrap at the ends.
fn move_along(state: State, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default();
    let at = TABS.iter().position(|tab| tab.0 == state.tab.get_untracked()).unwrap_or(0);
    let to = match &*key {
        "ArrowRight" => (at + 1) % TABS.len(),
        "ArrowLeft" => (at + TABS.len() - 1) % TABS.len(),
        "Home" => 0,
        "End" => TABS.len() - 1,
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    state.show_tab(TABS[to].0);
    let element = document().get_element_by_id(TABS[to].1);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}
