//! The open scenarios.

use super::icon::icon_button;
use crate::dom::*;
use crate::examples;
use crate::state::{Scenario, State, called};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// The list of open scenarios, with a button for a new one.
pub(super) fn scenarios(state: State) -> El {
    let entries = move || {
        let several = state.scenarios.with(|all| all.len() > 1);
        state.scenarios.with(|all| all_of(state, all, several))
    };
    el("nav", "scenarios").attr("aria-label", "Scenarios").with((
        ul("scenarios__list").with(entries),
        icon_button("New scenario", "New scenario (a)", "plus")
            .press(move || state.begin_scenario()),
    ))
}

fn all_of(state: State, scenarios: &[Scenario], several: bool) -> Vec<El> {
    all(scenarios.iter().map(|it| entry(state, it, several)))
}

fn entry(state: State, it: &Scenario, several: bool) -> El {
    let (number, left) = (it.number, it.title.clone());
    let here = move || state.scenario.get() == number;
    let title = Memo::new(move |_| match here() {
        true => state.text.with(|text| called(examples::title(text)).to_owned()),
        false => called(&left).to_owned(),
    });
    let close = move || state.close_scenario(number);
    let name = button("scenario__name")
        .bind("aria-current", move || here().then_some("true"))
        .bind("title", move || title.get())
        .press(move || state.turn_to(number))
        .on("keydown", move |event| {
            let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
            if several && key.as_deref() == Some("Delete") {
                event.prevent_default();
                close();
            }
        })
        .with(move || title.get());
    let cross = several.then(|| {
        icon_button("", "Close (Delete)", "close")
            .bind("aria-label", move || format!("Close {}", title.get()))
            .press(close)
    });
    li("scenario").toggle("scenario--here", here).with((name, cross))
}
