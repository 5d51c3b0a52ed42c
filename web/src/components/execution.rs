//! The execution: controls, lanes and state.

use super::controls::controls;
use super::lanes::lanes;
use super::panels::schedules;
use super::prose::prose;
use crate::dom::*;
use crate::state::{Dialog, State};
use leptos::prelude::*;

/// The execution panel, with an overlay over its lanes.
pub(super) fn execution(over: Option<El>) -> El {
    let state = State::expect();
    let stands = Memo::new(move |_| {
        state.trace.with(|trace| {
            trace.view.as_ref().map(|view| (view.state.clone(), view.summary.clone()))
        })
    });
    let word = move || stands.get().map(|(word, _)| word).unwrap_or_default();
    let machine = Memo::new(move |_| state.trace.with(|trace| trace.machine.clone()));
    section("panel execution")
        .attr("id", "execution")
        .attr("aria-labelledby", "execution-name")
        .with((
            div("panel__head").with((
                h2("panel__name").attr("id", "execution-name").with("Execution"),
                button("legend__open")
                    .press(move || state.show_dialog(Dialog::Legend))
                    .with("Legend"),
                controls(),
            )),
            move || machine.with(|notice| (!notice.is_empty()).then(|| strip(state, notice))),
            schedules(state),
            lanes(over),
            p("stands").bind("data-state", word).attr("role", "status").with((
                b("").with(word),
                " ",
                move || stands.get().map(|(_, summary)| prose(&summary)),
                move || state.representative().map(|says| span("stands__kept quiet").with(says)),
                move || state.kept.get().map(|kept| span("stands__kept quiet").with(kept)),
            )),
        ))
}

/// States that the hardware model is shown, with a button back to the specification.
fn strip(state: State, notice: &str) -> El {
    div("machine").attr("role", "note").with((
        p("").with(prose(notice)),
        button("button button--small").press(move || state.to_text()).with("Back to specification"),
    ))
}
