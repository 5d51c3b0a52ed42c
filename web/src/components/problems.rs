//! What is wrong with the text.

use super::prose::prose;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use leptos::prelude::*;

/// How many are listed.
const SHOWN: usize = 50;

/// The list of problems; nothing where there are none.
#[component]
pub(crate) fn Problems() -> impl IntoView {
    let state = State::expect();
    move || {
        let problems = state.diagnostics.get();
        let more = problems.len().saturating_sub(SHOWN);
        (!problems.is_empty()).then(|| {
            any! {
                <ul class="problems">
                    {problems.into_iter().take(SHOWN).map(|problem| any! { <Problem problem /> }).collect_view()}
                    {(more > 0).then(|| any! { <li class="quiet">{format!("and {more} more")}</li> })}
                </ul>
            }
        })
    }
}

#[component]
fn Problem(problem: ReportDiagnostic) -> impl IntoView {
    let state = State::expect();
    let place = (problem.offset as usize, problem.length as usize);
    let replace = problem.replacement.clone().map(|replacement| {
        let label = format!("Replace with {replacement}");
        any! {
            <button class="button button--small" type="button" aria-disabled=move || state.stale().to_string()
                on:click=move |_| state.replace(place.0, place.1, &replacement)>
                {label}
            </button>
        }
    });
    any! {
        <li class="problem" data-severity=problem.severity.clone()>
            <button class="problem__place" type="button" on:click=move |_| state.focus(place.0, place.1)>
                {format!("{}:{}", problem.line, problem.column)}
            </button>
            <div>
                <p class="problem__text">{prose(&problem.message)}</p>
                {problem.suggestion.map(|suggestion| any! { <p class="problem__hint">{prose(&suggestion)}</p> })}
                {replace}
                <code class="problem__code">{problem.code}</code>
            </div>
        </li>
    }
}
