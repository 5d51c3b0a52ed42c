//! The dialog of long jobs: progress with a cancel button, then the result.

use super::dialog::modal;
use super::view::acting;
use crate::dom::*;
use crate::state::{Dialog, State};
use crate::verdict::count;
use leptos::prelude::*;

/// The dialog.
pub(super) fn work() -> El {
    modal(Dialog::Work, "Examine", || {
        let state = State::expect();
        let page = move || state.work.with(|work| work.page.clone());
        let content = div("job");
        show_page(&content.element(), page);
        let name = move || page().map(|page| h3("job__name").with(&*page.title));
        let under_way = move || {
            let (states, done) = state.work.with(|work| (work.states, work.page.is_some()));
            let progress = states.map(|states| count(states, "state", "states"));
            (progress.is_some() || !done).then(|| {
                div("job__do").with((
                    p("calm").with(("Working… ", progress)),
                    button("button").press(move || state.end_work()).with("Cancel"),
                ))
            })
        };
        div("").with((name, acting(state, content), div("").attr("role", "status").with(under_way)))
    })
}

/// The jobs for the current scenario.
pub(super) fn ways(state: State) -> Option<El> {
    let report = state.report.get().filter(|_| state.valid.get() && state.engine.get())?;
    let way = |word: &'static str, name: &'static str, title: &'static str| {
        button("button button--small")
            .attr("title", title)
            .press(move || state.begin_work(word))
            .with(name)
    };
    let found = !report.findings.is_empty();
    let shrink =
        found.then(|| way("shrink", "Shrink", "Find the smallest scenario with the first finding"));
    let compare = way("compare", "Compare", "Compare with another scenario");
    // The axioms apply only to AMDGPU.
    let axioms = report.target.starts_with("gfx") || report.target == "model";
    let without =
        axioms.then(|| way("without", "Relax a rule", "Show what becomes possible without a rule"));
    Some(div("ways").with((shrink, compare, without)))
}
