//! One finding, told step by step.

use super::icon::Icon;
use super::prose::prose;
use crate::engine::{self, Finding};
use crate::state::State;
use crate::verdict::{count, face, schedules};
use leptos::prelude::*;

/// A finding with its witness.
#[component]
pub(crate) fn FindingCard(
    /// The finding.
    finding: Finding,
    /// Whose finding it is; the machine's witness is not one of the text's executions, so it is not loaded.
    #[prop(default = "spec")]
    oracle: &'static str,
) -> impl IntoView {
    let state = State::expect();
    let face = face(&finding.class);
    let because =
        finding.because.iter().map(|clause| any! { <li>{prose(clause)}</li> }).collect_view();
    let unsupported = finding.class == "unsupported";
    let steps = count(finding.witness.len() as u64, "step", "steps");
    let length = if finding.shortest { format!("{steps}, none shorter") } else { steps };
    let place = finding.line.map(|line| format!("line {line}"));
    let witness = finding.clone();
    let show = (!finding.witness.is_empty() && oracle == "spec").then(|| {
        any! {
            <button class="button button--main" type="button" aria-disabled=move || state.stale().to_string()
                on:click=move |_| state.demonstrate(&witness)>
                <Icon name="play" />
                "Show me"
            </button>
            <span class="quiet">{length}</span>
        }
    });
    any! {
        <article class="finding" data-tone=face.tone data-rule=finding.rule.clone()>
            <header class="finding__head">
                <span class="badge" data-tone=face.tone><Icon name=face.tone />{finding.class.clone()}</span>
                <code class="finding__rule">{finding.rule.clone()}</code>
                <span class="quiet">{[(!unsupported).then(|| schedules(&finding).to_owned()), place].into_iter().flatten().collect::<Vec<_>>().join(" · ")}</span>
            </header>
            <p class="finding__text">{prose(&finding.message)}</p>
            {(!finding.because.is_empty()).then(|| any! { <ol class="because" aria-label="Reasons">{because}</ol> })}
            {finding.remedy.clone().map(|remedy| any! { <p class="finding__fix"><b>"Fix: "</b>{prose(&remedy)}</p> })}
            <div class="finding__foot">{show}</div>
            <RuleText id=finding.rule.clone() />
        </article>
    }
}

/// What the rule says, and where.
#[component]
fn RuleText(id: String) -> impl IntoView {
    engine::rule(&id).map(|rule| {
        any! {
            <details class="rule">
                <summary>"The rule"</summary>
                <p>{rule.statement}</p>
                <p class="quiet">{rule.document}", "{rule.section}</p>
            </details>
        }
    })
}
