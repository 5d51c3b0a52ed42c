//! What was found: problems of the text, broken rules, the machine's view, open questions.

use super::finding::FindingCard;
use super::problems::Problems;
use super::prose::prose;
use super::readings::Readings;
use crate::engine::{OracleReport, Report};
use crate::state::State;
use crate::verdict::face;
use leptos::prelude::*;

/// The findings.
#[component]
pub(crate) fn Findings() -> impl IntoView {
    let state = State::expect();
    any! {
        <section class="panel findings" aria-labelledby="findings-name">
            <h2 class="panel__name" id="findings-name">"Why"</h2>
            <div class="panel__body findings__body" class:findings--stale=move || state.stale()
                aria-busy=move || (state.stale() && state.running.get()).to_string() tabindex="0" role="group" aria-labelledby="findings-name">
                <Problems />
                {move || state.valid.get().then(|| state.report.get().map(|report| reasons(&report)))}
                <Story />
            </div>
        </section>
    }
}

/// Title and notes of the scenario.
#[component]
fn Story() -> impl IntoView {
    let state = State::expect();
    move || {
        let about = state.about.get();
        let notes = about.notes.iter().map(|note| any! { <p>{prose(note)}</p> }).collect_view();
        state.valid.get().then(|| {
            any! {
                <section class="story" aria-label="About this scenario">
                    <h3 class="story__title">{about.title}</h3>
                    {notes}
                </section>
            }
        })
    }
}

fn reasons(report: &Report) -> impl IntoView + use<> {
    let cards = report
        .findings
        .iter()
        .cloned()
        .map(|finding| any! { <FindingCard finding /> })
        .collect_view();
    let calm = report.findings.is_empty().then(|| {
        any! { <p class="calm">"No rule is broken. Step through any schedule at will: press a lane's digit or click its next operation."</p> }
    });
    any! {
        {calm}
        {cards}
        {report.machine.as_ref().map(machine)}
        <Readings ambiguities=report.ambiguities.clone() />
        {report.participates_in.as_ref().filter(|counted| !counted.unique).map(|counted| any! {
            <p class="aside">
                {format!("The same order of operations admits up to {} barrier-participates-in relations.", counted.most)}
            </p>
        })}
    }
}

/// What the second oracle says.
fn machine(machine: &OracleReport) -> impl IntoView + use<> {
    let cards = machine
        .findings
        .iter()
        .cloned()
        .map(|finding| any! { <FindingCard finding oracle="machine" /> })
        .collect_view();
    let face = face(&machine.verdict);
    let said = match machine.verdict.as_str() {
        "ok" => "Every schedule runs to its end.".to_owned(),
        _ => face.word.to_owned() + ".",
    };
    any! {
        <h3 class="findings__sub">"On the machine"</h3>
        <p class="aside">{said}" As publicly modelled, not measured by us."</p>
        {cards}
    }
}
