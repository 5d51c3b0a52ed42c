//! The documents of the project, as dialogs.

use super::dialog::modal;
use super::document::document;
use super::examples::loading;
use crate::dom::*;
use crate::state::{Dialog, State};
use leptos::prelude::Get;

/// The dialog of readings and observations.
pub(super) fn observations() -> El {
    modal(Dialog::Readings, "Readings and observations", || reference("docs/observations.md"))
}

/// The dialog of the language.
pub(super) fn language() -> El {
    modal(Dialog::Language, "The scenario language", || reference("docs/language.md"))
}

fn reference(path: &'static str) -> El {
    let state = State::expect();
    div("document").with(move || match state.library.get().text(path) {
        Some(text) => all([document(state, text)]),
        None => all([Group::of(loading())]),
    })
}
