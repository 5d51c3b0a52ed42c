//! The palette: commands, targets, pages, examples, lessons, operations, rules, readings and sections of documents by name.

use super::dialog::Modal;
use super::prose::coded;
use super::{aria, effect, press};
use crate::browser;
use crate::keys;
use crate::state::{Dialog, State};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use protocol::document_page::Action;

/// An entry: its name, with its keys and a description in a second line, and what performs it.
type Item = (String, String);

/// The palette.
#[component]
pub(super) fn Palette() -> impl IntoView {
    view! {
        <Modal which=Dialog::Palette title="Search">
            <Commands/>
        </Modal>
    }
}

/// Whether a name contains every word of the input.
fn fits(name: &str, typed: &str) -> bool {
    let name = name.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

/// The entries for an input: names that contain its words, then descriptions that do. Without an input, the commands.
fn found(all: &[Item], typed: &str) -> Vec<Item> {
    let is_empty = typed.trim().is_empty();
    let fitting = |is_named: bool| {
        let named = |name: &str| name.lines().next().is_some_and(|name| fits(name, typed));
        let fits = move |item: &&Item| {
            (!is_empty || item.1.contains(' '))
                && fits(&item.0, typed)
                && named(&item.0) == is_named
        };
        all.iter().filter(fits).cloned()
    };
    fitting(true).chain(fitting(false)).collect()
}

#[component]
fn Commands() -> impl IntoView {
    let state = State::expect();
    let all = Memo::new(move |_| state.places());
    let (typed, chosen) = (RwSignal::new(String::new()), RwSignal::new(0));
    let fitting = Memo::new(move |_| all.with(|all| found(all, &typed.get())));
    effect(move || {
        let at = chosen.get();
        if at > 0 {
            browser::show_near(&format!("palette-{at}"));
        }
    });
    let entries = move || {
        let entries = fitting.get().into_iter().enumerate();
        entries.map(|(at, item)| view! { <Entry at item chosen/> }.into_any()).collect_view()
    };
    view! {
        <div class="palette">
            <input
                class="palette__field"
                type="text"
                autofocus
                autocomplete="off"
                spellcheck="false"
                placeholder="Find a command, an example, an operation, a rule…"
                role="combobox"
                aria-label="Command, target, page, example, operation, rule, reading or section"
                aria-expanded="true"
                aria-controls="palette"
                aria-activedescendant=move || format!("palette-{}", chosen.get())
                on:input=move |event| {
                    chosen.set(0);
                    typed.set(event_target_value(&event));
                }
                on:keydown=move |event| choose(state, &fitting.get_untracked(), chosen, &event)
            />
            <ul class="palette__list" id="palette" role="listbox" aria-label="Results">{move || entries()}</ul>
            <p class="calm palette__none" role="status">
                {move || fitting.with(Vec::is_empty).then_some("No results")}
            </p>
        </div>
    }
}

/// Handles a key in the field: it moves the choice among the found entries or performs the chosen one.
fn choose(state: State, found: &[Item], chosen: RwSignal<usize>, event: &KeyboardEvent) {
    let (at, count) = (chosen.get_untracked(), found.len().max(1));
    match &*event.key() {
        "ArrowDown" => chosen.set((at + 1) % count),
        "ArrowUp" => chosen.set(at.checked_sub(1).unwrap_or(count - 1)),
        "Enter" => found.get(at).into_iter().for_each(|(_, to)| act(state, to)),
        _ => return,
    }
    event.prevent_default();
}

#[component]
fn Entry(at: usize, item: Item, chosen: RwSignal<usize>) -> impl IntoView {
    let state = State::expect();
    let (name, to) = item;
    let mut lines = name.lines();
    let mut parts = lines.next().unwrap_or_default().split('\t');
    let name = coded(parts.next().unwrap_or_default());
    let says = coded(lines.next().unwrap_or_default());
    let keys = parts
        .map(|key| view! { <kbd class="key">{key.to_owned()}</kbd> }.into_any())
        .collect_view();
    view! {
        <li
            class="palette__item"
            id=format!("palette-{at}")
            role="option"
            aria-selected=move || aria(chosen.get() == at)
            on:click=press(move || act(state, &to))
        >
            <span class="palette__name">{name}<span class="palette__says">{says}</span></span>
            <span class="palette__keys">{keys}</span>
        </li>
    }
}

/// Closes the palette and performs the chosen entry.
fn act(state: State, to: &str) {
    state.chrome.dialog.set(None);
    match to.split_once(' ') {
        Some(("press", key)) => drop(keys::press(state, key)),
        Some((_, name)) => state.choose_target(Some(name.to_owned())),
        None if to.starts_with("examples/") => state.act(Action::Open.word(), to, ""),
        None => state.visit(to),
    }
}
