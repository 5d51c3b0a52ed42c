//! What was found: problems of the text, broken rules, the machine's view, open questions.

use super::finding::finding;
use super::problems::problems;
use super::prose::prose;
use super::readings::readings;
use crate::dom::*;
use crate::engine::{OracleReport, Report};
use crate::state::State;
use crate::verdict::face;
use leptos::prelude::*;

/// The findings.
pub(super) fn findings() -> El {
    let state = State::expect();
    section("panel findings").attr("aria-labelledby", "findings-name").with((
        h2("panel__name").attr("id", "findings-name").with("Why"),
        div("panel__body findings__body")
            .toggle("findings--stale", move || state.stale())
            .says("aria-busy", move || state.stale() && state.running.get())
            .attr("tabindex", "0")
            .attr("role", "group")
            .attr("aria-labelledby", "findings-name")
            .with((problems(), move || reasons(state), move || story(state))),
    ))
}

/// Title and notes of the scenario.
fn story(state: State) -> Option<El> {
    let about = state.about.get();
    let notes = all(about.notes.iter().map(|note| p("").with(prose(note))));
    state.valid.get().then(|| {
        section("story")
            .attr("aria-label", "About this scenario")
            .with((h3("story__title").with(about.title), notes))
    })
}

fn reasons(state: State) -> Option<impl Show> {
    let report = state.valid.get().then(|| state.report.get()).flatten()?;
    Some(reasons_of(&report))
}

fn reasons_of(report: &Report) -> impl Show + use<> {
    let calm = report.findings.is_empty().then(|| {
        p("calm").with("No rule is broken. Step through any schedule at will: press a lane's digit or click its next operation.")
    });
    let counted = report.participates_in.as_ref().filter(|counted| !counted.unique);
    let counted = counted.map(|counted| {
        p("aside").with(format!(
            "The same order of operations admits up to {} barrier-participates-in relations.",
            counted.most
        ))
    });
    (
        calm,
        all(report.findings.iter().map(|found| finding(found, true))),
        report.machine.as_ref().map(machine),
        readings(&report.ambiguities),
        counted,
    )
}

/// What the second oracle says.
fn machine(machine: &OracleReport) -> impl Show + use<> {
    let said = match machine.verdict.as_str() {
        "ok" => "Every schedule runs to its end.".to_owned(),
        verdict => face(verdict).word.to_owned() + ".",
    };
    (
        h3("findings__sub").with("On the machine"),
        p("aside").with((said, " As publicly modelled, not measured by us.")),
        all(machine.findings.iter().map(|found| finding(found, false))),
    )
}
