//! One line about an event.

use super::icon::icon_button;
use super::prose::prose;
use crate::dom::*;
use crate::state::{Dialog, Notice, State};
use leptos::prelude::*;

/// The line; nothing if there is no notice.
pub(crate) fn notices() -> El {
    let state = State::expect();
    div("notices").attr("role", "status").with(move || {
        // The share dialog shows its own notice.
        let beside = state.dialog.get() != Some(Dialog::Share);
        state.notice.get().filter(|_| beside).map(|it| line(state, it))
    })
}

fn line(state: State, notice: Notice) -> El {
    let back =
        notice.back.then(|| button("button").press(move || state.reopen_scenario()).with("Reopen"));
    let recorded = notice.recorded.map(|recorded| {
        button("button")
            .press(move || state.begin_work(&format!("recorded:{recorded}")))
            .with("Show difference")
    });
    div("notice").class("notice--error", notice.error).with((
        p("notice__text").with(prose(&notice.text)),
        recorded,
        back,
        icon_button("Dismiss", "Dismiss", "close").press(move || state.notice.set(None)),
    ))
}
