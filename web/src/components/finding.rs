//! One finding with its notes, help and witness.

use super::icon::icon;
use super::prose::prose;
use super::verdict_bar::badge;
use crate::dom::*;
use crate::engine::{Finding, Fix};
use crate::state::State;
use crate::verdict::{count, face, schedules};
use leptos::prelude::*;

/// A finding with its witness, of the specification or of the machine; `whole` says whether the search was complete.
pub(super) fn finding(finding: &Finding, machine: bool, whole: bool) -> El {
    let because = all(finding
        .because
        .iter()
        .map(|clause| li("clause").attr("tabindex", "0").with(prose(clause))));
    let fix = |remedy: &str| {
        p("finding__fix").with((
            b("").with("Help: "),
            prose(remedy),
            finding.fix.as_ref().map(|fix| apply(fix, *remedy == fix.message)),
        ))
    };
    article("finding")
        .attr("data-tone", face(&finding.class).tone)
        .attr("data-rule", &finding.rule)
        .with((
            header("finding__head").with((
                badge(&finding.class),
                el("a", "finding__rule")
                    .attr("href", format!("#rules/{}", finding.rule))
                    .with(code("").with(&*finding.rule)),
                span("quiet").with(prose(&place(finding, whole))),
            )),
            p("finding__text").with(prose(&finding.message)),
            finding.condition.as_deref().map(|needs| {
                p("finding__text").with((b("").with("Possible: "), "only if ", prose(needs), "."))
            }),
            (!because.is_empty()).then(|| ol("because").attr("aria-label", "Notes").with(because)),
            finding.remedy.as_deref().map(fix),
            div("finding__foot")
                .with((!finding.witness.is_empty()).then(|| witness(finding, machine))),
            rule(&finding.rule),
        ))
}

/// A button that applies the fix. It carries the fix's description unless that was already shown.
fn apply(fix: &Fix, described: bool) -> El {
    let (state, fix) = (State::expect(), fix.clone());
    let name = if described { "Apply".to_owned() } else { fix.message.clone() };
    button("button button--small finding__apply")
        .attr("title", "Apply this edit; the editor can undo it")
        .says("aria-disabled", move || state.stale())
        .press(move || state.apply(&fix))
        .with(prose(&name))
}

/// Describes the schedules of the finding, or that it is only possible, and its line.
fn place(finding: &Finding, whole: bool) -> String {
    let met = match finding.is_possible() {
        true => Some("possible".to_owned()),
        false => (finding.class != "unsupported").then(|| schedules(finding, whole)),
    };
    let line = finding.line.map(|line| format!("line {line}"));
    [met, line].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The content of a button that shows a witness, or plays it if it is visible.
pub(super) fn replay_or_show(shown: bool) -> (El, &'static str) {
    match shown {
        true => (icon("replay"), "Replay"),
        false => (icon("play"), "Show me"),
    }
}

/// The button that loads or plays the witness.
fn witness(finding: &Finding, machine: bool) -> impl Show + use<> {
    let state = State::expect();
    let steps = count(finding.witness.len() as u64, "step", "steps");
    let length = if finding.shortest { format!("{steps} (shortest)") } else { steps };
    let (finding, same) = (finding.clone(), finding.clone());
    let shown = Memo::new(move |_| state.is_shown(&same, machine));
    (
        button("button button--main")
            .says("aria-disabled", move || state.stale())
            .press(move || state.demonstrate(&finding, machine))
            .with(move || replay_or_show(shown.get())),
        span("quiet").with(length),
    )
}

/// The statement of the rule and its source.
fn rule(id: &str) -> Option<El> {
    State::expect().statement(id).map(|rule| {
        details("rule").with((
            summary("").with("Rule"),
            p("").with(rule.says),
            p("quiet").with(rule.place),
        ))
    })
}
