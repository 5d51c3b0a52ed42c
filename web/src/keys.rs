//! The keys of the page. They do not apply in the editor and in other fields.

use crate::browser;
use crate::components::ANALYSIS_WORDS;
use crate::editing;
use crate::port;
use crate::state::{Dialog, State};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Starts listening for the lifetime of the page.
pub(crate) fn listen(state: State) {
    let _ = window_event_listener(ev::keydown, move |event| {
        if is_palette(&event) {
            event.prevent_default();
            return state.show_dialog(Dialog::Palette);
        }
        if is_free(&event)
            && state.chrome.dialog.get_untracked().is_none()
            && (state.chrome.view.get_untracked().is_none() || works_anywhere(&event.key()))
            && press(state, &event.key())
        {
            event.prevent_default();
        }
    });
}

/// Whether a key belongs to the page.
pub(crate) fn is_free(event: &KeyboardEvent) -> bool {
    !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !in_field(event)
}

/// Whether a key opens the palette, also from the editor.
fn is_palette(event: &KeyboardEvent) -> bool {
    (event.ctrl_key() || event.meta_key())
        && !event.shift_key()
        && !event.alt_key()
        && event.key().eq_ignore_ascii_case("k")
}

/// Performs the action of a key; returns whether it has one.
pub(crate) fn press(state: State, key: &str) -> bool {
    match key {
        "a" => {
            state.begin_scenario();
            editing::select(0, 0);
        }
        "]" => state.turn_by(1),
        "[" => state.turn_by(usize::MAX),
        "close" => state.close_scenario(state.document.scenario.get_untracked()),
        "e" => state.visit("#gallery"),
        "Escape" if state.chrome.presented.get_untracked() => state.present(),
        "Escape" => state.leave(),
        "?" => state.show_dialog(Dialog::Keys),
        "h" => state.show_dialog(Dialog::Legend),
        "l" => state.visit("#language"),
        "p" => state.present(),
        "t" => browser::toggle_theme(),
        "format" => return editing::lay_out(),
        "tour" => state.begin_tour(),
        "share" => state.share(),
        "markdown" => state.export("md", false),
        "embed" => state.export("html", false),
        "fold" => state.turn_all_bands(),
        "shrink" | "compare" | "needs" | "without" | "runs" | "waits" => state.begin_work(key),
        "files" => port::files(),
        key => match ANALYSIS_WORDS.iter().find(|word| **word == key) {
            Some(word) => state.show_tab(word),
            None => return step(state, key),
        },
    }
    true
}

/// Performs the action of a key in an execution; returns whether it has one.
pub(crate) fn step(state: State, key: &str) -> bool {
    match key {
        "ArrowLeft" => state.back(),
        "ArrowRight" => state.forward(),
        "Home" => state.go_to(0),
        "End" => state.go_to(usize::MAX),
        "r" => state.run(),
        "c" => state.begin_at_launch(),
        "g" => state.play(),
        "b" => state.plan("block".to_owned()),
        "s" => state.plan("random".to_owned()),
        "x" => state.plan("next".to_owned()),
        "count" => state.count_outcomes(),
        "n" => state.next_counterexample(),
        "w" => state.demonstrate_first(),
        digit => match digit.parse::<usize>() {
            Ok(agent) if digit.len() == 1 => state.perform_agent(agent),
            _ => return false,
        },
    }
    true
}

/// Whether a key has the same action outside the playground.
fn works_anywhere(key: &str) -> bool {
    matches!(key, "e" | "l" | "t" | "?" | "Escape" | "p")
}

/// Whether the input goes to a field, which handles its own keys.
fn in_field(event: &KeyboardEvent) -> bool {
    is_in(event, "textarea, input, select, .editor__code")
}

/// Whether a key is pressed in an element that matches a selector.
pub(crate) fn is_in(event: &KeyboardEvent, place: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(place).ok().flatten().is_some())
}
