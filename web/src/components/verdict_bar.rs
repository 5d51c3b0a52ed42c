//! The verdict, and how it was reached.

use super::icon::Icon;
use super::prose::prose;
use crate::engine::Report;
use crate::state::State;
use crate::verdict::{self, count, face};
use leptos::prelude::*;

/// The verdict bar.
#[component]
pub(crate) fn VerdictBar() -> impl IntoView {
    let state = State::expect();
    let verdict = Memo::new(move |_| match (state.valid.get(), state.report.get()) {
        (true, Some(report)) => report.verdict.clone(),
        (true, None) => "unknown".to_owned(),
        (false, _) => "invalid".to_owned(),
    });
    let rule = Memo::new(move |_| {
        let report = state.report.get().filter(|_| state.valid.get())?;
        report.findings.first().map(|first| first.rule.clone())
    });
    let witness = Memo::new(move |_| {
        let report = state.report.get().filter(|_| state.valid.get());
        report.and_then(|report| report.findings.first().map(|first| !first.witness.is_empty()))
            == Some(true)
    });
    let busy = move || state.stale() && state.running.get();
    let tone = Signal::derive(move || face(&verdict.get()).tone);
    any! {
        <section class="verdict" class:verdict--stale=move || state.stale() aria-busy=move || busy().to_string() aria-label="Verdict" data-tone=move || tone.get() data-verdict=move || verdict.get()
            data-judged=move || state.judged.get().to_string()>
            <span class="verdict__icon">{move || any! { <Icon name=tone.get() /> }}</span>
            <div class="verdict__words" role="status" aria-atomic="true">
                <p class="verdict__word">
                    {move || face(&verdict.get()).word}
                    " "
                    <code class="verdict__rule">{move || rule.get()}</code>
                </p>
                <p class="verdict__checking">{move || if busy() { "Checking" } else { "Not checked" }}</p>
                <p class="verdict__why">{move || prose(&why(state))}</p>
            </div>
            <Witness witness />
            <div class="verdict__side">
                <Side />
            </div>
        </section>
    }
}

/// The way to the execution that breaks the first rule.
#[component]
fn Witness(witness: Memo<bool>) -> impl IntoView {
    let state = State::expect();
    move || {
        witness.get().then(|| {
            any! {
                <button class="button button--main verdict__show" type="button" title="Load the execution that shows it (w)"
                    aria-disabled=move || state.stale().to_string() on:click=move |_| state.demonstrate_first()>
                    <Icon name="play" />
                    "Show me"
                </button>
            }
        })
    }
}

/// The verdict in a sentence, or the first problem of the text.
fn why(state: State) -> String {
    if state.valid.get() {
        return match state.report.get() {
            Some(report) => verdict::sentence(&report),
            None => "The first check is under way.".into(),
        };
    }
    state.diagnostics.with(|all| match all.iter().find(|problem| problem.severity == "error") {
        Some(problem) => format!("Line {}: {}", problem.line, problem.message),
        None => "The text cannot be read.".into(),
    })
}

/// What stands at the side: a long check with its cancel, else how the verdict was reached.
#[component]
fn Side() -> impl IntoView {
    let state = State::expect();
    let running = move |states: u64| {
        any! {
            <p class="verdict__run">"Checking · "{count(states, "state", "states")}" so far"</p>
            <button class="button" type="button" on:click=move |_| state.cancel()>"Cancel"</button>
        }
    };
    move || match (state.long.get(), state.valid.get(), state.report.get()) {
        (Some(states), ..) => running(states).into_any(),
        (None, true, Some(report)) => any! { <Facts report=&report /> }.into_any(),
        (None, false, Some(_)) => {
            any! { <p class="verdict__run">"Below: the last valid text"</p> }.into_any()
        }
        _ => ().into_any(),
    }
}

/// Target, engine, the machine's verdict, open questions.
#[component]
fn Facts<'a>(report: &'a Report) -> impl IntoView + use<> {
    let machine = report.machine.as_ref().map(|machine| {
        let face = face(&machine.verdict);
        let title = "The machine as publicly modelled, not measured by us";
        any! {
            <li class="chip" data-tone=face.tone title=title>
                <span class="chip__name">"machine"</span>
                <Icon name=face.tone />
                {machine.verdict.clone()}
            </li>
        }
    });
    let ambiguities = report
        .ambiguities
        .iter()
        .map(|open| any! { <li class="chip chip--open"><span class="chip__name">"depends on"</span>{open.id.clone()}</li> })
        .collect_view();
    let tone = face(&report.verdict).tone;
    any! {
        <ul class="chips" aria-label="Verdicts by oracle">
            <li class="chip" data-tone=tone title="The text of the specification">
                <span class="chip__name">"spec"</span>
                <Icon name=tone />
                {report.verdict.clone()}
            </li>
            {machine}
            {ambiguities}
        </ul>
        <p class="verdict__how"><code>{report.target.clone()}</code>{verdict::reached(report)}</p>
    }
}
