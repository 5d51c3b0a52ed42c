//! The findings: broken rules, the hardware model, the number of relations, the expectations.

use super::press;
use super::expectations::Expectations;
use super::finding::{FindingCard, Witness};
use super::problems::Problems;
use super::prose::Prose;
use super::tabs::TabPanel;
use super::work::Ways;
use crate::browser;
use crate::engine::{Finding, Report};
use crate::state::State;
use crate::verdict::{face, relations};
use leptos::prelude::*;
use std::sync::Arc;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "why",
    name: "Why",
    view: || view! { <Why/> }.into_any(),
};

/// Everything that supports the verdict.
#[component]
fn Why() -> impl IntoView {
    let state = State::expect();
    let is_found = Memo::new(move |_| {
        let has_findings = |it: &Arc<Report>| !it.findings.is_empty();
        state.judgement.report.with(|report| report.as_ref().is_some_and(has_findings))
    });
    // What is wrong comes before what the scenario is about.
    let story = move |last: bool| {
        move || (is_found.get() == last).then(|| view! { <Story/> }.into_any())
    };
    view! {
        {story(false)}
        <Reasons/>
        {story(true)}
        <Problems of_errors=false/>
        <Ways/>
        <Expectations/>
    }
}

/// Title and notes of the scenario.
#[component]
pub(crate) fn Story() -> impl IntoView {
    let state = State::expect();
    view! {
        {move || {
        let about = state.document.about.get();
        let title = (!about.title.is_empty())
            .then(|| view! { <h3 class="story__title">{about.title.clone()}</h3> }.into_any());
        let notes = about.notes.iter().map(|note| view! { <p><Prose text=note.clone()/></p> }.into_any());
        let notes = notes.collect_view();
        // Only an embed shows the title: it has no tabs.
        let is_described = !notes.is_empty() || title.is_some() && browser::embedded();
        (is_described && state.judgement.valid.get()).then(|| {
            view! {
                <section class="story" aria-label="About this scenario">{title}{notes}</section>
            }.into_any()
        })
    }}
    }
}

/// Findings, the machine, the compiler, readings, relations.
#[component]
pub(crate) fn Reasons() -> impl IntoView {
    let state = State::expect();
    view! {
        {move || {
        if state.is_blank() || !state.judgement.valid.get() {
            return None;
        }
        let Some(report) = state.judgement.report.get() else {
            return state.judgement.running.get().then(|| {
                view! { <p class="calm">"Checking… No finding yet."</p> }.into_any()
            });
        };
        let is_calm = report.findings.is_empty() && report.verdict == "ok";
        let machine = report.machine.is_some().then(|| view! { <Machine report=report.clone()/> }.into_any());
        Some(view! {
            {is_calm
                .then(|| {
                    view! {
                        <p class="calm">
                            "No rule is violated. To explore, click an operation or press its lane number."
                        </p>
                    }.into_any()
                })}
            {report
                .findings
                .iter()
                .map(|it| view! { <FindingCard finding=it.clone() machine=false whole=report.exhaustive/> }.into_any())
                .collect_view()}
            {machine}
            {compiler(&report)}
            {depends(state, &report)}
            {relations(&report)
                .map(|text| {
                    view! {
                        <h3 class="findings__sub">"Participates in"</h3>
                        <p class="aside"><Prose text/></p>
                    }.into_any()
                })}
        }.into_any())
    }}
    }
}

/// The differences between the compiler and the specification.
fn compiler(report: &Report) -> Option<AnyView> {
    let compiler = report.compiler.as_ref().filter(|compiler| !compiler.notes.is_empty())?;
    let note = |note: &String| view! { <p class="aside"><Prose text=note.clone()/></p> }.into_any();
    let notes = compiler.notes.iter().map(note).collect_view();
    Some(view! { <h3 class="findings__sub">"LLVM " {compiler.version.to_string()}</h3> {notes} }.into_any())
}

/// Whether the verdict depends on a reading.
fn depends(state: State, report: &Report) -> Option<AnyView> {
    let open = report.ambiguities.len();
    let text = match open {
        0 => return None,
        1 => {
            format!("The verdict changes under another reading of `{}`. ", report.ambiguities[0].id)
        }
        _ => format!("The verdict changes under other readings of {open} ambiguous rules. "),
    };
    let compare = (!browser::embedded()).then(|| {
        view! {
            <button
                class="button button--small"
                type="button"
                on:click=press(move || state.show_tab(super::readings::PANEL.word))
            >
                "Compare readings"
            </button>
        }.into_any()
    });
    Some(view! {
        <h3 class="findings__sub">"Ambiguity"</h3>
        <p class="aside"><Prose text/></p>
        {compare}
    }.into_any())
}

/// The verdict of the machine oracle. A finding that the specification has, too, is not repeated.
#[component]
fn Machine(report: Arc<Report>) -> impl IntoView {
    let machine = report.machine.as_ref()?;
    let said = match machine.verdict.as_str() {
        "ok" => "Every wait completes in every schedule.".to_owned(),
        verdict => face(verdict).word.to_owned() + ".",
    };
    let card = |it: &Finding| match report.has_alike(it) {
        true => view! {
            <div class="finding__foot" data-rule=it.rule.clone()>
                {format!("Also on the hardware model: line {}.", it.line.unwrap_or_default())}
                {(!it.witness.is_empty())
                    .then(|| view! { <Witness finding=it.clone() machine=true/> }.into_any())}
            </div>
        }
        .into_any(),
        false => view! { <FindingCard finding=it.clone() machine=true whole=machine.exhaustive/> }
            .into_any(),
    };
    Some(view! {
        <h3 class="findings__sub">"Hardware model"</h3>
        <p class="aside">{said} " Based on the public hardware model; not verified on hardware."</p>
        {machine.findings.iter().map(card).collect_view()}
    })
}
