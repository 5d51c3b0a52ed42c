//! A row of tabs above the panel that they control.

use crate::dom::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, KeyboardEvent};

/// One tab: what it shows, its element's identifier, and its name.
pub(super) type Named<T> = (T, &'static str, &'static str);

/// The identifier of the element of a tab.
pub(super) fn id_of<T: PartialEq>(tabs: &[Named<T>], chosen: T) -> Option<&'static str> {
    tabs.iter().find(|tab| tab.0 == chosen).map(|tab| tab.1)
}

/// The tabs of a panel with a label; `controls` is the identifier of the panel. Arrow keys select the adjacent tab and wrap
/// at the ends.
pub(super) fn tabs<T: Copy + PartialEq + 'static>(
    (label, controls): (&'static str, &'static str),
    all_tabs: &'static [Named<T>],
    chosen: impl Fn() -> T + Copy + 'static,
    choose: impl Fn(T) + Copy + 'static,
) -> El {
    let tab = |&(tab, id, name): &Named<T>| {
        let is_chosen = move || chosen() == tab;
        button("tab")
            .attr("role", "tab")
            .attr("id", id)
            .attr("aria-controls", controls)
            .says("aria-selected", is_chosen)
            .bind("tabindex", move || if is_chosen() { "0" } else { "-1" })
            .press(move || choose(tab))
            .with(name)
    };
    div("tabs")
        .attr("role", "tablist")
        .attr("aria-label", label)
        .with(all(all_tabs.iter().map(tab)))
        .on("keydown", move |event| move_along(all_tabs, &event, choose))
}

fn move_along<T: Copy>(tabs: &[Named<T>], event: &Event, choose: impl Fn(T)) {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default();
    let target = event.target().and_then(|it| it.dyn_into::<HtmlElement>().ok());
    let id = target.map(|it| it.id()).unwrap_or_default();
    let Some(at) = tabs.iter().position(|tab| tab.1 == id) else { return };
    let to = match &*key {
        "ArrowRight" => (at + 1) % tabs.len(),
        "ArrowLeft" => (at + tabs.len() - 1) % tabs.len(),
        "Home" => 0,
        "End" => tabs.len() - 1,
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    choose(tabs[to].0);
    let element = leptos::prelude::document().get_element_by_id(tabs[to].1);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}
