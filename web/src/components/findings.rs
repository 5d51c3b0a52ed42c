//! The findings: broken rules, the hardware model, the number of relations, the expectations.

use super::expectations::expectations;
use super::finding::finding;
use super::problems::warnings;
use super::prose::prose;
use super::work::ways;
use crate::browser;
use crate::dom::*;
use crate::engine::{OracleReport, Report};
use crate::state::{State, Tab};
use crate::verdict::{face, relations};
use leptos::prelude::*;

/// Everything that supports the verdict.
pub(super) fn why(state: State) -> impl Show {
    (
        move || reasons(state),
        warnings(),
        move || ways(state),
        move || expectations(state),
        move || story(state),
    )
}

/// Title and notes of the scenario.
pub(crate) fn story(state: State) -> Option<El> {
    let about = state.about.get();
    let notes = all(about.notes.iter().map(|note| p("").with(prose(note))));
    let title = (!about.title.is_empty()).then(|| h3("story__title").with(about.title));
    let described = title.is_some() || !notes.is_empty();
    (described && state.valid.get())
        .then(|| section("story").attr("aria-label", "About this scenario").with((title, notes)))
}

/// Findings, the machine, the compiler, readings, relations.
pub(crate) fn reasons(state: State) -> Option<impl Show> {
    let report = state.valid.get().then(|| state.report.get()).flatten()?;
    let calm = (report.findings.is_empty() && report.verdict == "ok").then(|| {
        p("calm")
            .with("No rule is violated. To explore, click an operation or press its lane number.")
    });
    Some((
        calm,
        all(report.findings.iter().map(|found| finding(found, false, report.exhaustive))),
        report.machine.as_ref().map(machine),
        compiler(&report),
        depends(state, &report),
        relations(&report).map(|text| {
            (h3("findings__sub").with("Participates in"), p("aside").with(prose(&text)))
        }),
    ))
}

/// The differences between the compiler and the specification.
fn compiler(report: &Report) -> Option<impl Show + use<>> {
    let compiler = report.compiler.as_ref().filter(|compiler| !compiler.notes.is_empty())?;
    let notes = compiler.notes.iter().map(|note| p("aside").with(prose(note)));
    Some((h3("findings__sub").with(format!("LLVM {}", compiler.version)), all(notes)))
}

/// Whether the verdict depends on a reading.
fn depends(state: State, report: &Report) -> Option<impl Show + use<>> {
    let open = report.ambiguities.len();
    let text = match open {
        0 => return None,
        1 => {
            format!("The verdict changes under another reading of `{}`. ", report.ambiguities[0].id)
        }
        _ => format!("The verdict changes under other readings of {open} ambiguous rules. "),
    };
    Some((
        h3("findings__sub").with("Ambiguity"),
        p("aside").with(prose(&text)),
        (!browser::embedded()).then(|| {
            button("button button--small")
                .press(move || state.show_tab(Tab::Readings))
                .with("Compare readings")
        }),
    ))
}

/// The verdict of the machine oracle.
fn machine(machine: &OracleReport) -> impl Show + use<> {
    let said = match machine.verdict.as_str() {
        "ok" => "Every wait completes in every schedule.".to_owned(),
        verdict => face(verdict).word.to_owned() + ".",
    };
    (
        h3("findings__sub").with("Hardware model"),
        p("aside").with((said, " Based on the public hardware model; not verified on hardware.")),
        all(machine.findings.iter().map(|found| finding(found, true, machine.exhaustive))),
    )
}
