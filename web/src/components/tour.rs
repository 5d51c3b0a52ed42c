//! The bar of the first visit: the stage, whether it is done, and the ways on.

use super::icon::{icon, icon_button};
use crate::dom::*;
use crate::state::{STAGES, Stage, State};
use leptos::prelude::*;

/// The bar; nothing if the tour is closed.
pub(super) fn tour(state: State) -> El {
    let away = move || state.view.with(Option::is_some);
    div("tours").bind("hidden", away).with(move || {
        let at = state.tour.get()?;
        Some(bar(state, at, STAGES.get(at)?))
    })
}

fn bar(state: State, at: usize, stage: &'static Stage) -> El {
    // A stage that was done once stays done.
    let done = Memo::new(move |before: Option<&bool>| before == Some(&true) || (stage.done)(state));
    let last = at + 1 == STAGES.len();
    let dot = |index: usize| i("tour__dot").class("tour__dot--past", index <= at);
    let back =
        (at > 0).then(|| button("button").press(move || state.go_to_stage(at - 1)).with("Back"));
    section("tour").attr("aria-label", "Start here").with((
        div("tour__words").attr("role", "status").with((
            p("tour__name").with((
                format!("{} of {}: {}", at + 1, STAGES.len(), stage.name),
                " ",
                move || done.get().then(|| span("tour__done").with((icon("ok"), "done"))),
            )),
            p("tour__text").with(emphasised(stage.text)),
        )),
        div("tour__dots").attr("aria-hidden", "true").with(all((0..STAGES.len()).map(dot))),
        back,
        button("button")
            .toggle("button--main", move || done.get())
            .press(move || state.go_to_stage(at + 1))
            .with(move || match (last, done.get()) {
                (true, _) => "Finish",
                (false, true) => "Next",
                (false, false) => "Skip",
            }),
        icon_button("Close the tour", "Close; Start here continues at this stage", "close")
            .press(move || state.leave_tour()),
    ))
}

/// A sentence with code between backticks and names between asterisks.
fn emphasised(text: &str) -> Group {
    let mut sentence = Group::new();
    for (index, part) in text.split('*').enumerate() {
        match index % 2 {
            1 => sentence.add(b("").with(part)),
            _ => sentence.add(super::prose::prose(part)),
        }
    }
    sentence
}
