//! The keys of the page. The editor and other fields keep theirs.

use crate::browser;
use crate::state::{Dialog, State};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Keys and what they do, as shown by `?`.
pub(crate) static HELP: &[(&[&str], &str)] = &[
    (&["→"], "Perform again the step that was undone last"),
    (&["←"], "Undo a step"),
    (&["0", "…", "9"], "Perform the next operation of that lane"),
    (&["Home"], "Back to launch"),
    (&["End"], "Forward to the last step"),
    (&["r"], "Let every wave run to its end"),
    (&["w"], "Load the witness of the first finding"),
    (&["e"], "Open the examples"),
    (&["l"], "Read about the scenario language"),
    (&["t"], "Light or dark"),
    (&["?"], "Show these keys"),
    (&["Esc"], "Close what is open"),
];

/// Starts listening, for as long as the page lives.
pub(crate) fn listen(state: State) {
    let _ = window_event_listener(ev::keydown, move |event| {
        let modified = event.ctrl_key() || event.meta_key() || event.alt_key();
        if !modified
            && !in_field(&event)
            && (!browser::embedded() || is_in(&event, "#execution"))
            && state.dialog.get_untracked().is_none()
            && (state.view.get_untracked().is_none() || works_anywhere(&event.key()))
            && press(state, &event.key())
        {
            event.prevent_default();
        }
    });
}

/// Does what a key stands for; whether it stands for anything.
fn press(state: State, key: &str) -> bool {
    match key {
        "ArrowLeft" => state.back(),
        "ArrowRight" => state.forward(),
        "Home" => state.go_to(0),
        "End" => state.go_to(usize::MAX),
        "r" => state.run(),
        "w" => state.demonstrate_first(),
        "e" => state.visit("#gallery"),
        "Escape" => state.leave(),
        "?" => state.show_dialog(Dialog::Keys),
        "l" => state.visit("#language"),
        "t" => browser::toggle_theme(),
        digit => match digit.parse::<usize>() {
            Ok(agent) if digit.len() == 1 => state.perform_agent(agent),
            _ => return false,
        },
    }
    true
}

/// Whether a key does the same beside the playground.
fn works_anywhere(key: &str) -> bool {
    matches!(key, "e" | "l" | "t" | "?" | "Escape")
}

/// Whether what is typed goes into a field, where keys do what they always do.
fn in_field(event: &KeyboardEvent) -> bool {
    is_in(event, "textarea, input, select, .editor__code")
}

/// Whether a key is pressed in something that a selector names.
fn is_in(event: &KeyboardEvent, place: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(place).ok().flatten().is_some())
}
