//! The errors and warnings of the text.

use super::finding::Apply;
use super::prose::Prose;
use super::{aria, press};
use crate::engine::ReportDiagnostic;
use crate::header_lines;
use crate::state::State;
use leptos::prelude::*;

/// Largest number of listed problems.
const SHOWN: usize = 50;

/// Largest number of characters of a change on its button.
const MOST: usize = 40;

/// The problems of the text; nothing if it has none of this kind.
#[component]
pub(crate) fn Problems(
    /// Whether to show a text with errors, together with its warnings, or the warnings of a text without errors.
    of_errors: bool,
) -> impl IntoView {
    let state = State::expect();
    view! {
        {move || {
        state.judgement.diagnostics.with(|problems| {
            let has_error = problems.iter().any(|problem| problem.severity == "error");
            if problems.is_empty() || has_error != of_errors {
                return None;
            }
            let shown = problems.iter().take(SHOWN);
            let shown = shown.map(|it| view! { <Problem problem=it.clone()/> }.into_any()).collect_view();
            let more = problems.len().saturating_sub(SHOWN);
            let more =
                (more > 0).then(|| view! { <li class="quiet">{format!("and {more} more")}</li> }.into_any());
            Some(view! { <ul class="problems">{shown} {more}</ul> }.into_any())
        })
    }}
    }
}

/// Returns the label of a button that makes a change: the first line of the change.
fn named(new: bool, replacement: &str) -> String {
    let verb = if new { "Insert" } else { "Replace with" };
    let line = replacement.trim().lines().next().unwrap_or_default();
    let shown: String = line.chars().take(MOST).collect();
    let rest = if shown.len() < replacement.trim().len() { "…" } else { "" };
    format!("{verb} {shown}{rest}")
}

#[component]
fn Problem(problem: ReportDiagnostic) -> impl IntoView {
    let state = State::expect();
    let fix = state.document.text.with_untracked(|text| header_lines::fix(text, &problem));
    let apply = fix.map(|fix| view! { <Apply fix described=true/> }.into_any());
    let (offset, length) = (problem.offset as usize, problem.length as usize);
    let place = format!("{}:{}", problem.line.max(1), problem.column.max(1));
    let replace = problem.replacement.map(|replacement| {
        let inserts = state.document.text.with_untracked(|text| {
            text.get(offset..offset + length).is_some_and(|old| replacement.ends_with(old))
        });
        let label = named(inserts, &replacement);
        view! {
            <button
                class="button button--small"
                type="button"
                aria-disabled=move || aria(state.stale())
                on:click=press(move || state.replace(offset, length, &replacement))
            >
                {label}
            </button>
        }
        .into_any()
    });
    let hint = problem.suggestion;
    let hint =
        hint.map(|hint| view! { <p class="problem__hint"><Prose text=hint/></p> }.into_any());
    view! {
        <li class="problem" data-severity=problem.severity>
            <button
                class="problem__place"
                type="button"
                on:click=press(move || state.focus(offset, length))
            >
                {place}
            </button>
            <div>
                <p class="problem__text"><Prose text=problem.message/></p>
                {hint}
                {replace}
                {apply}
                <code class="problem__code">{problem.code}</code>
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_shows_the_first_line_of_its_change() {
        assert_eq!(named(true, "launch waves=2\n"), "Insert launch waves=2");
        assert_eq!(named(false, "a\nb"), "Replace with a…");
        assert_eq!(named(false, &"x".repeat(50)).len(), "Replace with ".len() + 40 + "…".len());
    }
}
