//! The verdict of this scenario on every target.

use super::prose::prose;
use super::verdict_bar::badge;
use crate::dom::*;
use crate::engine::MatrixRow;
use crate::state::State;
use leptos::prelude::*;

/// The targets, those with the same answer together.
pub(super) fn targets(state: State) -> El {
    let surveyed = move || state.survey.get().is_some_and(|survey| survey.matrix.is_some());
    let calm = move || (!surveyed()).then(|| p("calm").with("Judging it on every target."));
    let stale = move || !state.is_surveyed();
    let code = move || {
        let shown = !state.judged_on.get().is_empty() && state.judged.get() > 0;
        shown.then(|| machine_code(state)).flatten()
    };
    div("matrix").with((
        div("").toggle("matrix--stale", stale).says("aria-busy", stale).with((calm, cells(state))),
        code,
    ))
}

/// The code of the target that is judged on; what has none, says why.
fn machine_code(state: State) -> Option<El> {
    let target = state.judged_on.get();
    let ready = state.machine_code()?;
    let shown = section("machine-code").attr("aria-label", "Machine code");
    let name = h3("findings__sub").with(("Machine code for ", code("").with(target)));
    Some(match ready {
        Ok(text) => {
            let listing = el("pre", "").attr("tabindex", "0").attr("aria-label", "Code");
            let listing = listing.attr("role", "group").with(code("").with(&*text));
            let copy =
                button("button button--small").press(move || state.copy_code(&text)).with("Copy");
            shown.with((div("machine-code__head").with((name, copy)), listing))
        }
        Err(why) => shown.with((name, p("aside").with(prose(&why)))),
    })
}

/// A cell stays, with what the reader opened in it, while its answer is the same.
fn cells(state: State) -> El {
    let rows = move || {
        let survey = state.survey.get();
        let matrix = survey.as_ref().and_then(|survey| survey.matrix.as_ref());
        let rows = matrix.into_iter().flat_map(|matrix| &matrix.rows).filter(|row| is_ours(row));
        let entry = |row: &MatrixRow| {
            let own = row.clone();
            Entry::new(row, move || cell(state, &own))
        };
        rows.map(entry).collect()
    };
    ul("matrix__cells").with(keyed(rows))
}

/// What no vocabulary of the text can name says nothing about it.
fn is_ours(row: &MatrixRow) -> bool {
    !(matches!(&*row.family, "NVIDIA" | "OpenCL C++") && row.verdict == "unsupported")
}

fn cell(state: State, row: &MatrixRow) -> El {
    let names: Vec<String> = row.targets.clone();
    let newest = names.last().cloned();
    let here = move || names.contains(&state.judged_on.get());
    let choose = move || state.choose_target(newest.clone());
    let several = (row.targets.len() > 1).then(|| {
        let count = format!("{} targets", row.targets.len());
        let names = all(row.targets.iter().map(|name| name_button(state, name)));
        details("cell__all").with((summary("").with(count), div("cell__names").with(names)))
    });
    let main = button("cell__main").says("aria-pressed", here).press(choose).with((
        code("cell__label").with(&*row.label),
        badge(&row.verdict),
        span("cell__why").with((reason(row), machine(row))),
    ));
    li("cell")
        .attr("data-label", &row.label)
        .attr("data-verdict", &row.verdict)
        .with((main, several))
}

fn name_button(state: State, name: &str) -> El {
    let (own, chosen) = (name.to_owned(), name.to_owned());
    button("button button--small cell__name")
        .says("aria-pressed", move || state.judged_on.get() == own)
        .press(move || state.choose_target(Some(chosen.clone())))
        .with(name)
}

/// Why the text says what it says.
fn reason(row: &MatrixRow) -> Option<Group> {
    let reason = row.reason.as_ref()?;
    let line = reason.line.map(|line| format!(", line {line}")).unwrap_or_default();
    Some(prose(&format!("`{}`{line}", reason.rule)))
}

/// What the machine says, where it says something else.
fn machine(row: &MatrixRow) -> Option<El> {
    let machine = row.machine.as_ref().filter(|machine| machine.agrees == Some(false))?;
    let word = crate::verdict::face(&machine.verdict).word.to_lowercase();
    Some(span("cell__machine").with(format!("The machine differs: {word}.")))
}
