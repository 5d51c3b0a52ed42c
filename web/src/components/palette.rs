//! The palette: commands, targets, pages and examples by name.

use super::dialog::modal;
use crate::dom::*;
use crate::keys::{self, HELP};
use crate::state::{Dialog, State};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Pages without a key: the fragment and the name of each.
const PAGES: [(&str, &str); 7] = [
    ("#gallery", "Example gallery"),
    ("#rules", "Rules"),
    ("#tools", "Tools"),
    ("#tools/mbarrier", "mbarrier word decoder"),
    ("#tools/sass", "SASS and PTX"),
    ("#tools/targets", "Targets and features"),
    ("#readings", "Readings and observations"),
];

/// The effect of an entry.
#[derive(Clone)]
enum Action {
    Press(&'static str),
    Visit(&'static str),
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
pub(super) fn palette() -> impl Show {
    modal(Dialog::Palette, "Commands", content)
}

/// All entries, commands first.
fn items() -> Vec<Item> {
    let commands = HELP.iter().filter(|help| !help.press.is_empty()).map(|help| Item {
        name: help.what.to_owned(),
        keys: help.keys,
        action: Action::Press(help.press),
    });
    let item = |name, action| Item { name, keys: &[], action };
    let pages = PAGES.map(|(to, name)| item(name.to_owned(), Action::Visit(to)));
    let names = State::expect().targets.get_untracked().into_iter().flat_map(|(_, names)| names);
    let targets = names.map(|name| item(format!("Check on {name}"), Action::Target(name)));
    let examples = State::expect().library.with_untracked(|library| {
        let open = |(path, title): (&str, &str)| {
            item(format!("Open {title}"), Action::Example(path.to_owned()))
        };
        library.examples().map(open).collect::<Vec<_>>()
    });
    commands.chain(pages).chain(targets).chain(examples).collect()
}

/// Whether a name contains every word of the input.
fn fits(name: &str, typed: &str) -> bool {
    let name = name.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

fn content() -> El {
    let state = State::expect();
    let all_items = StoredValue::new_local(items());
    let (typed, chosen) = (RwSignal::new(String::new()), RwSignal::new(0));
    let fitting = move || -> Vec<Item> {
        typed.with(|typed| {
            all_items.with_value(|all| {
                all.iter().filter(|item| fits(&item.name, typed)).cloned().collect()
            })
        })
    };
    let field = input("palette__field")
        .attr("type", "text")
        .attr("autofocus", true)
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("placeholder", "Find a command or an example")
        .attr("role", "combobox")
        .attr("aria-label", "Command, target, page or example")
        .attr("aria-expanded", "true")
        .attr("aria-controls", "palette")
        .bind("aria-activedescendant", move || format!("palette-{}", chosen.get()))
        .on("input", move |event| {
            chosen.set(0);
            typed.set(value_of(&event));
        })
        .on("keydown", move |event| {
            let found = untrack(fitting);
            match key_of(&event).as_str() {
                "ArrowDown" => chosen.update(|at| *at = (*at + 1) % found.len().max(1)),
                "ArrowUp" => chosen
                    .update(|at| *at = at.checked_sub(1).unwrap_or(found.len().saturating_sub(1))),
                "Enter" => found
                    .get(chosen.get_untracked())
                    .into_iter()
                    .for_each(|item| act(state, item.action.clone())),
                _ => return,
            }
            event.prevent_default();
        });
    let list = ul("palette__list").attr("id", "palette").attr("role", "listbox");
    let shown = move || {
        let entries = fitting().into_iter().enumerate();
        all(entries.map(|(at, item)| entry(state, at, item, chosen)))
    };
    let none = p("calm palette__none").attr("role", "status").with(move || {
        let nothing = fitting().is_empty();
        nothing.then_some("No results")
    });
    div("palette").with((field, list.attr("aria-label", "Results").with(shown), none))
}

fn entry(state: State, at: usize, item: Item, chosen: RwSignal<usize>) -> El {
    let keys = span("palette__keys").with(all(item.keys.iter().map(|key| kbd("key").with(*key))));
    let entry = li("palette__item")
        .attr("id", format!("palette-{at}"))
        .attr("role", "option")
        .says("aria-selected", move || chosen.get() == at)
        .press(move || act(state, item.action.clone()))
        .with((&*item.name, keys));
    let element = entry.element();
    effect(Box::new(move || {
        if chosen.get() == at && at > 0 {
            let near = ScrollIntoViewOptions::new();
            near.set_block(ScrollLogicalPosition::Nearest);
            element.scroll_into_view_with_scroll_into_view_options(&near);
        }
    }));
    entry
}

fn key_of(event: &Event) -> String {
    event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default()
}

/// Closes the palette and performs the chosen entry.
fn act(state: State, action: Action) {
    state.dialog.set(None);
    match action {
        Action::Press(key) => drop(keys::press(state, key)),
        Action::Visit(to) => state.visit(to),
        Action::Target(name) => state.choose_target(Some(name)),
        Action::Example(path) => state.act(protocol::document_page::Action::Open.word(), &path, ""),
    }
}
