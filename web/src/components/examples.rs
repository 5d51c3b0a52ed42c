//! The list of examples.

use super::dialog::modal;
use super::prose::prose;
use super::verdict_bar::badge;
use crate::dom::*;
use crate::examples::{self, Example};
use crate::state::{Dialog, State};
use leptos::prelude::Set;

/// The dialog of examples.
pub(super) fn examples() -> El {
    modal(Dialog::Examples, "Examples", || {
        ul("gallery").with(all(examples::gallery().into_iter().map(item)))
    })
}

fn item(example: Example) -> El {
    let state = State::expect();
    let open = move || {
        state.dialog.set(None);
        state.open_example(&example);
    };
    li("").with(button("example").press(open).with((
        badge(example.expected()),
        span("example__title").with(example.title()),
        code("example__target").with(example.target()),
        span("example__note").with(prose(example.note())),
    )))
}
