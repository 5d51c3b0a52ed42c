//! The palette: commands, targets, pages, examples, rules, readings and sections of the language reference by name.

use super::dialog::Modal;
use super::keys::KeyCaps;
use super::{ANALYSIS, aria, effect, press};
use crate::browser;
use crate::keys::{self, HELP};
use crate::state::{Dialog, State};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The effect of an entry.
#[derive(Clone)]
enum Action {
    Press(&'static str),
    Visit(String),
    Target(String),
    Example(String),
}

/// An entry.
#[derive(Clone)]
struct Item {
    name: String,
    keys: &'static [&'static str],
    action: Action,
}

/// The palette.
#[component]
pub(super) fn Palette() -> impl IntoView {
    view! {
        <Modal which=Dialog::Palette title="Commands">
            <Commands/>
        </Modal>
    }
}

/// All entries, commands first.
fn items() -> Vec<Item> {
    let commands = HELP.iter().filter(|help| !help.press.is_empty()).map(|help| Item {
        name: help.what.to_owned(),
        keys: help.keys,
        action: Action::Press(help.press),
    });
    let item = |name, action| Item { name, keys: &[], action };
    let panels = ANALYSIS.iter().map(|it| item(it.command.to_owned(), Action::Press(it.word)));
    let names =
        State::expect().chrome.targets.get_untracked().into_iter().flat_map(|(_, names)| names);
    let targets = names.map(|name| item(format!("Check on {name}"), Action::Target(name)));
    commands.chain(panels).chain(targets).collect()
}

/// Whether a name contains every word of the input.
fn fits(name: &str, typed: &str) -> bool {
    let name = name.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

#[component]
fn Commands() -> impl IntoView {
    let state = State::expect();
    let all_items = StoredValue::new(items());
    let places = Memo::new(move |_| state.places());
    let (typed, chosen) = (RwSignal::new(String::new()), RwSignal::new(0));
    let fitting = move || -> Vec<Item> {
        let typed = typed.get();
        let mut found: Vec<Item> = all_items.with_value(|all| {
            all.iter().filter(|item| fits(&item.name, &typed)).cloned().collect()
        });
        if !typed.trim().is_empty() {
            places.with(|places| {
                // Names that contain the words come before descriptions that do.
                let fits = |name: &str| fits(name, &typed);
                let named = |name: &str| name.lines().next().is_some_and(fits);
                let places = || places.iter().filter(|(name, _)| fits(name));
                let order = places().filter(|(name, _)| named(name));
                let order = order.chain(places().filter(|(name, _)| !named(name)));
                found.extend(order.map(|(name, to)| Item {
                    name: name.clone(),
                    keys: &[],
                    action: match to.starts_with("examples/") {
                        true => Action::Example(to.clone()),
                        false => Action::Visit(to.clone()),
                    },
                }));
            });
        }
        found
    };
    effect(move || {
        let at = chosen.get();
        if at > 0 {
            browser::show_near(&format!("palette-{at}"));
        }
    });
    let entries = move || {
        let entries = fitting().into_iter().enumerate();
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
                placeholder="Find a command, an example, a rule, a section…"
                role="combobox"
                aria-label="Command, target, page, example, rule, reading or section"
                aria-expanded="true"
                aria-controls="palette"
                aria-activedescendant=move || format!("palette-{}", chosen.get())
                on:input=move |event| {
                    chosen.set(0);
                    typed.set(event_target_value(&event));
                }
                on:keydown=move |event| choose(state, &untrack(fitting), chosen, &event)
            />
            <ul class="palette__list" id="palette" role="listbox" aria-label="Results">{move || entries()}</ul>
            <p class="calm palette__none" role="status">
                {move || fitting().is_empty().then_some("No results")}
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
        "Enter" => found.get(at).into_iter().for_each(|item| act(state, item.action.clone())),
        _ => return,
    }
    event.prevent_default();
}

#[component]
fn Entry(at: usize, item: Item, chosen: RwSignal<usize>) -> impl IntoView {
    let state = State::expect();
    let mut lines = item.name.lines().map(str::to_owned);
    let (name, says) = (lines.next(), lines.next());
    view! {
        <li
            class="palette__item"
            id=format!("palette-{at}")
            role="option"
            aria-selected=move || aria(chosen.get() == at)
            on:click=press(move || act(state, item.action.clone()))
        >
            <span class="palette__name">{name}<span class="palette__says">{says}</span></span>
            <span class="palette__keys"><KeyCaps keys=item.keys/></span>
        </li>
    }
}

/// Closes the palette and performs the chosen entry.
fn act(state: State, action: Action) {
    state.chrome.dialog.set(None);
    match action {
        Action::Press(key) => drop(keys::press(state, key)),
        Action::Visit(to) => state.visit(&to),
        Action::Target(name) => state.choose_target(Some(name)),
        Action::Example(path) => state.act(protocol::document_page::Action::Open.word(), &path, ""),
    }
}
