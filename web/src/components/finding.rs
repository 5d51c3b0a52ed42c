//! One finding with its notes, help and witness.

use super::badge::Badge;
use super::icon::Icon;
use super::prose::{Prose, coded};
use super::{aria, press};
use crate::engine::{Finding, Fix};
use crate::state::State;
use crate::verdict::{count, face};
use leptos::prelude::*;

/// A finding with its witness.
#[component]
pub(super) fn FindingCard(
    /// The finding.
    finding: Finding,
    /// Whether it is a finding of the machine and not of the specification.
    machine: bool,
    /// Whether the search was complete.
    whole: bool,
) -> impl IntoView {
    let place = place(&finding, whole);
    let because = notes(&finding.because);
    let fix = finding.fix.clone();
    let help = finding.remedy.clone().map(|remedy| {
        let apply = fix.map(|fix| {
            let described = remedy == fix.message;
            view! { <Apply fix described/> }.into_any()
        });
        view! { <p class="finding__fix"><b>"Help: "</b><Prose text=remedy/>{apply}</p> }.into_any()
    });
    let condition = finding.condition.clone().map(|needs| {
        view! { <p class="finding__text"><b>"Possible: "</b>"only if "<Prose text=needs/>"."</p> }.into_any()
    });
    view! {
        <article
            class="finding"
            data-tone=face(&finding.class).tone
            data-rule=finding.rule
        >
            <header class="finding__head">
                <Badge verdict=finding.class.clone()/>
                <a class="finding__rule" href=format!("#rules/{}", finding.rule)>
                    <code>{finding.rule.clone()}</code>
                </a>
                <span class="quiet"><Prose text=place/></span>
            </header>
            <p class="finding__text"><Prose text=finding.message.clone()/></p>
            {condition}
            {help}
            {because}
            <div class="finding__foot">
                {(!finding.witness.is_empty())
                    .then(|| view! { <Witness finding=finding.clone() machine/> }.into_any())}
            </div>
            <Rule id=finding.rule.clone()/>
        </article>
    }
}

/// The notes of a finding; nothing if there are none.
fn notes(because: &[String]) -> Option<AnyView> {
    let notes = because.iter().map(|clause| {
        view! { <li class="clause" tabindex="0"><Prose text=clause.clone()/></li> }.into_any()
    });
    let notes = notes.collect_view();
    (!notes.is_empty())
        .then(|| view! { <ol class="because" aria-label="Notes">{notes}</ol> }.into_any())
}

/// A button that applies the fix.
#[component]
pub(super) fn Apply(
    fix: Fix,
    /// Whether the description of the fix was already shown.
    described: bool,
) -> impl IntoView {
    let state = State::expect();
    let name = if described { "Apply".to_owned() } else { fix.message.clone() };
    view! {
        <button
            class="button button--small finding__apply"
            type="button"
            title="Apply this edit; the editor can undo it"
            aria-disabled=move || aria(state.stale())
            on:click=press(move || state.apply(&fix))
        >
            {coded(&name)}
        </button>
    }
}

/// Describes the schedules of the finding if they are not all, or that it is only possible, and its line.
fn place(finding: &Finding, whole: bool) -> String {
    let met = match finding.is_possible() {
        true => Some("possible".to_owned()),
        false => (finding.class != "unsupported")
            .then(|| finding.occurs(whole))
            .filter(|occurs| occurs != "in every schedule"),
    };
    let line = finding.line.map(|line| format!("line {line}"));
    let source = State::expect().source_of(finding.line);
    [met, line, source].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The content of a button that shows a witness, or plays it if it is visible.
#[component]
pub(super) fn ReplayOrShow(
    /// Whether the witness is visible.
    shown: Memo<bool>,
) -> impl IntoView {
    view! {
        {move || match shown.get() {
        true => view! { <Icon name="replay"/> "Replay" }.into_any(),
        false => view! { <Icon name="play"/> "Show me" }.into_any(),
    }}
    }
}

/// The button that loads or plays the witness.
#[component]
pub(super) fn Witness(finding: Finding, machine: bool) -> impl IntoView {
    let state = State::expect();
    let steps = count(finding.witness.len() as u64, "step", "steps");
    let length = if finding.shortest { format!("{steps} (shortest)") } else { steps };
    let same = finding.clone();
    let shown = Memo::new(move |_| state.is_shown(&same, machine));
    view! {
        <button
            class="button button--main"
            type="button"
            aria-disabled=move || aria(state.stale())
            on:click=press(move || state.demonstrate(&finding, machine))
        >
            <ReplayOrShow shown/>
        </button>
        <span class="quiet">{length}</span>
    }
}

/// The statement of the rule and its source.
#[component]
fn Rule(id: String) -> impl IntoView {
    State::expect().statement(&id).map(|rule| {
        view! {
            <details class="rule">
                <summary>"Rule"</summary>
                <p>{rule.says}</p>
                <p class="quiet">{rule.place}</p>
            </details>
        }
        .into_any()
    })
}
