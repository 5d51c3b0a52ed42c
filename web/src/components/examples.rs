//! The list of examples.

use super::dialog::modal;
use super::prose::prose;
use super::verdict_bar::badge;
use crate::dom::*;
use crate::examples::{Example, grouped};
use crate::state::{Dialog, State};
use leptos::prelude::*;

/// The dialog of examples.
pub(super) fn examples() -> El {
    modal(Dialog::Examples, "Examples", || {
        let state = State::expect();
        div("gallery").with(move || {
            let library = state.library.get();
            let groups = all(grouped(library.gallery()).into_iter().map(|it| group(state, it)));
            (library.is_empty().then(loading), groups)
        })
    })
}

/// What is shown until the library is loaded.
pub(super) fn loading() -> El {
    p("calm").with("Loading. Where this stays, the page cannot reach the place that it came from.")
}

fn group(state: State, (heading, examples): (&'static str, Vec<Example>)) -> El {
    section("gallery__group").attr("aria-label", heading).with((
        h3("gallery__name").with(heading),
        ul("").with(all(examples.into_iter().map(|it| item(state, it)))),
    ))
}

fn item(state: State, example: Example) -> El {
    let shown = (
        badge(example.expected()),
        span("example__title").with(example.title()),
        code("example__target").with(example.target()),
        span("example__note").with(prose(example.note())),
    );
    let shown = button("example").with(shown);
    li("").with(shown.press(move || {
        state.dialog.set(None);
        state.open_example(&example);
    }))
}
