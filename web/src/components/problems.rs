//! The errors and warnings of the text.

use super::prose::prose;
use crate::dom::*;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use leptos::prelude::*;

/// Largest number of listed problems.
const SHOWN: usize = 50;

/// Largest number of characters of a change on its button.
const MOST: usize = 40;

/// The errors of a text, with its warnings; nothing if it has no error.
pub(crate) fn errors() -> impl Show {
    list(true)
}

/// The warnings of a text without errors.
pub(crate) fn warnings() -> impl Show {
    list(false)
}

fn list(of_errors: bool) -> impl Show {
    let state = State::expect();
    move || {
        state.diagnostics.with(|problems| {
            if problems.iter().any(|problem| problem.severity == "error") != of_errors {
                return None;
            }
            let more = problems.len().saturating_sub(SHOWN);
            let more = (more > 0).then(|| li("quiet").with(format!("and {more} more")));
            let shown = all(problems.iter().take(SHOWN).map(|problem| item(state, problem)));
            (!problems.is_empty()).then(|| ul("problems").with((shown, more)))
        })
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

fn item(state: State, problem: &ReportDiagnostic) -> El {
    let (offset, length) = (problem.offset as usize, problem.length as usize);
    let replace = problem.replacement.clone().map(|replacement| {
        let inserts = state.text.with_untracked(|text| {
            text.get(offset..offset + length).is_some_and(|old| replacement.ends_with(old))
        });
        let label = named(inserts, &replacement);
        button("button button--small")
            .says("aria-disabled", move || state.stale())
            .press(move || state.replace(offset, length, &replacement))
            .with(label)
    });
    let hint = problem.suggestion.as_deref().map(|hint| p("problem__hint").with(prose(hint)));
    li("problem").attr("data-severity", &problem.severity).with((
        button("problem__place").press(move || state.focus(offset, length)).with(format!(
            "{}:{}",
            problem.line.max(1),
            problem.column.max(1)
        )),
        div("").with((
            p("problem__text").with(prose(&problem.message)),
            hint,
            replace,
            code("problem__code").with(&*problem.code),
        )),
    ))
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
