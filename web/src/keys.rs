//! The keys of the page. The editor and other fields keep theirs.

use crate::browser;
use crate::editing;
use crate::state::{Dialog, State, Tab};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// What a key does.
pub(crate) struct Help {
    /// The keys as they are printed on a keyboard.
    pub keys: &'static [&'static str],
    /// What it does.
    pub what: &'static str,
    /// What [`press`] takes, where it is a command that can be chosen by its name, too.
    pub press: &'static str,
}

const fn help(keys: &'static [&'static str], what: &'static str, press: &'static str) -> Help {
    Help { keys, what, press }
}

/// Keys and what they do, as shown by `?` and in the palette. What has no key is in the palette alone.
pub(crate) static HELP: &[Help] = &[
    help(&["Ctrl", "K"], "Find a command, a target or a page", ""),
    help(&["→"], "Perform the step that was undone once more", "ArrowRight"),
    help(&["←"], "Undo a step", "ArrowLeft"),
    help(&["0", "…", "9"], "Perform the next operation of that lane", ""),
    help(&["Home"], "Back to launch", "Home"),
    help(&["End"], "Forward to the last step", "End"),
    help(&["r"], "Let every agent run to its end", "r"),
    help(&["g"], "Go on by itself, one step after the other; again: stop", "g"),
    help(&["b"], "Run the agent of the last step until it is blocked", "b"),
    help(&["s"], "A random schedule", "s"),
    help(&["x"], "The next consistent execution", "x"),
    help(&["n"], "The witness of the next finding", "n"),
    help(&["w"], "Load the witness of the first finding", "w"),
    help(&["a"], "A new scenario beside this one", "a"),
    help(&["]"], "The next of the scenarios that are open", "]"),
    help(&["["], "The one before", "["),
    help(&["Del"], "On the name of a scenario: close it", ""),
    help(&[], "Close this scenario", "close"),
    help(&["e"], "Open the examples", "e"),
    help(&["l"], "Read about the scenario language", "l"),
    help(&[], "Share: copy the link, save, export", "share"),
    help(&[], "Copy as Markdown for an issue", "markdown"),
    help(&[], "Copy as an embed for a page of documentation", "embed"),
    help(&[], "Why: what the verdict rests on", "why"),
    help(&[], "Relations: the graph of this execution", "relations"),
    help(&[], "Targets: every verdict, and the machine code", "targets"),
    help(&[], "Readings: what depends on an open question", "readings"),
    help(&[], "Fold every band of lanes, or unfold all", "fold"),
    help(&[], "Shrink: the smallest scenario with the first finding", "shrink"),
    help(&[], "Compare with another scenario", "compare"),
    help(&[], "Rules off: what becomes possible without a rule", "without"),
    help(&[], "Count the outcomes of random schedules", "count"),
    help(&["p"], "Present: larger, and only what is to be seen", "p"),
    help(&["t"], "Light or dark", "t"),
    help(&["?"], "Show these keys", "?"),
    help(&["Esc"], "Close what is open", ""),
    help(&["Shift", "Alt", "F"], "In the editor: lay the text out", "format"),
    help(&["F8"], "In the editor: go to the next problem", ""),
    help(&["Ctrl", "F"], "In the editor: search and replace", ""),
    help(&["Ctrl", "Space"], "In the editor: what could stand here", ""),
];

/// Starts listening, for as long as the page lives.
pub(crate) fn listen(state: State) {
    let _ = window_event_listener(ev::keydown, move |event| {
        if is_palette(&event) {
            event.prevent_default();
            return state.show_dialog(Dialog::Palette);
        }
        if is_free(&event)
            && state.dialog.get_untracked().is_none()
            && (state.view.get_untracked().is_none() || works_anywhere(&event.key()))
            && press(state, &event.key())
        {
            event.prevent_default();
        }
    });
}

/// Whether a key is nobody else's.
pub(crate) fn is_free(event: &KeyboardEvent) -> bool {
    !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !in_field(event)
}

/// Whether a key asks for the palette; it does so in the editor, too.
fn is_palette(event: &KeyboardEvent) -> bool {
    (event.ctrl_key() || event.meta_key())
        && !event.shift_key()
        && !event.alt_key()
        && event.key().eq_ignore_ascii_case("k")
}

/// Does what a key stands for; whether it stands for anything.
pub(crate) fn press(state: State, key: &str) -> bool {
    match key {
        "a" => {
            state.begin_scenario();
            editing::select(0, 0);
        }
        "]" => state.turn_by(1),
        "[" => state.turn_by(usize::MAX),
        "close" => state.close_scenario(state.scenario.get_untracked()),
        "e" => state.visit("#gallery"),
        "Escape" if state.presented.get_untracked() => state.present(),
        "Escape" => state.leave(),
        "?" => state.show_dialog(Dialog::Keys),
        "l" => state.visit("#language"),
        "p" => state.present(),
        "t" => browser::toggle_theme(),
        "format" => return editing::lay_out(),
        "share" => state.share(),
        "markdown" => state.export("md", false),
        "embed" => state.export("html", false),
        "why" => state.show_tab(Tab::Why),
        "relations" => state.show_tab(Tab::Relations),
        "targets" => state.show_tab(Tab::Targets),
        "readings" => state.show_tab(Tab::Readings),
        "fold" => state.turn_all_bands(),
        "shrink" | "compare" | "without" => state.begin_work(key),
        key => return step(state, key),
    }
    true
}

/// Does what a key stands for in an execution; whether it stands for anything.
pub(crate) fn step(state: State, key: &str) -> bool {
    match key {
        "ArrowLeft" => state.back(),
        "ArrowRight" => state.forward(),
        "Home" => state.go_to(0),
        "End" => state.go_to(usize::MAX),
        "r" => state.run(),
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

/// Whether a key does the same beside the playground.
fn works_anywhere(key: &str) -> bool {
    matches!(key, "e" | "l" | "t" | "?" | "Escape" | "p")
}

/// Whether what is typed goes into a field, where keys do what they always do.
fn in_field(event: &KeyboardEvent) -> bool {
    is_in(event, "textarea, input, select, .editor__code")
}

/// Whether a key is pressed in something that a selector names.
pub(crate) fn is_in(event: &KeyboardEvent, place: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(place).ok().flatten().is_some())
}
