//! A row of tabs above the panel that they control.

use super::keyed::{Each, key_of};
use super::{aria, press};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// A panel with a tab.
pub(crate) struct TabPanel {
    /// Its word, in links and commands.
    pub(crate) word: &'static str,
    /// Its name, on its tab.
    pub(crate) name: &'static str,
    /// Makes its content.
    pub(crate) view: fn() -> AnyView,
}

/// The identifier of the tab of a panel, in a row with an identifier.
pub(super) fn id_of(row: &str, word: &str) -> String {
    [row, "-", word].concat()
}

/// The tabs of panels. Arrow keys select the adjacent tab and wrap at the ends.
#[component]
pub(super) fn Tabs<F>(
    /// The name of the row.
    label: &'static str,
    /// The identifier of the row.
    row: &'static str,
    /// The identifier of the place of the chosen panel.
    controls: &'static str,
    /// The panels.
    panels: &'static [TabPanel],
    /// The word of the chosen one.
    chosen: RwSignal<&'static str>,
    /// Chooses a panel.
    choose: F,
) -> impl IntoView
where
    F: Fn(&'static str) + Copy + 'static,
{
    let tab = |panel: &'static TabPanel| {
        let is_chosen = move || chosen.get() == panel.word;
        view! {
            <button
                class="tab"
                type="button"
                role="tab"
                id=id_of(row, panel.word)
                aria-controls=controls
                aria-selected=move || aria(is_chosen())
                tabindex=move || if is_chosen() { "0" } else { "-1" }
                on:click=press(move || choose(panel.word))
            >
                {panel.name}
            </button>
        }
        .into_any()
    };
    let press = move |event: KeyboardEvent| {
        if let Some(next) = next(panels, chosen.get_untracked(), &event.key()) {
            event.prevent_default();
            event.stop_propagation();
            choose(next);
            focus(&id_of(row, next));
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=press>
            {panels.iter().map(tab).collect_view()}
        </div>
    }
}

/// The panel that a key selects from the chosen one.
fn next(panels: &[TabPanel], chosen: &str, key: &str) -> Option<&'static str> {
    let (at, count) = (panels.iter().position(|panel| panel.word == chosen)?, panels.len());
    let to = match key {
        "ArrowRight" => (at + 1) % count,
        "ArrowLeft" => (at + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    Some(panels[to].word)
}

fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// The content of the chosen panel, made again each time that it is chosen.
#[component]
pub(super) fn Chosen(panels: &'static [TabPanel], chosen: RwSignal<&'static str>) -> impl IntoView {
    let view = move |word: &str| {
        let panel = panels.iter().find(|panel| panel.word == word);
        panel.map(|panel| (panel.view)())
    };
    view! { <Each each=move || [chosen.get()] key=key_of children=view/> }
}
