//! What is wrong with the text.

use super::prose::prose;
use crate::dom::*;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use leptos::prelude::*;

/// How many are listed.
const SHOWN: usize = 50;

/// The list of problems; nothing where there are none.
pub(crate) fn problems() -> impl Show {
    let state = State::expect();
    move || {
        state.diagnostics.with(|problems| {
            let more = problems.len().saturating_sub(SHOWN);
            let more = (more > 0).then(|| li("quiet").with(format!("and {more} more")));
            let shown = all(problems.iter().take(SHOWN).map(|problem| item(state, problem)));
            (!problems.is_empty()).then(|| ul("problems").with((shown, more)))
        })
    }
}

fn item(state: State, problem: &ReportDiagnostic) -> El {
    let (offset, length) = (problem.offset as usize, problem.length as usize);
    let replace = problem.replacement.clone().map(|replacement| {
        let label = format!("Replace with {replacement}");
        button("button button--small")
            .says("aria-disabled", move || state.stale())
            .press(move || state.replace(offset, length, &replacement))
            .with(label)
    });
    let hint = problem.suggestion.as_deref().map(|hint| p("problem__hint").with(prose(hint)));
    li("problem").attr("data-severity", &problem.severity).with((
        button("problem__place")
            .press(move || state.focus(offset, length))
            .with(format!("{}:{}", problem.line, problem.column)),
        div("").with((
            p("problem__text").with(prose(&problem.message)),
            hint,
            replace,
            code("problem__code").with(&*problem.code),
        )),
    ))
}
