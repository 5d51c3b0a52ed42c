//! The expectations of the scenario, and whether they are met.

use super::icon::icon;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::Held;

/// The expectations; nothing if there are none.
pub(crate) fn expectations(state: State) -> Option<El> {
    let survey = state.survey.get()?;
    let held = all(survey.held.iter().map(|held| item(state, held)));
    let stale = move || !state.is_surveyed();
    (!held.is_empty() && state.valid.get()).then(|| {
        section("held")
            .toggle("held--stale", stale)
            .bind("inert", stale)
            .attr("aria-label", "Expectations")
            .with((h3("findings__sub").with("Expectations"), ul("").with(held)))
    })
}

fn item(state: State, held: &Held) -> El {
    let line = held.line;
    let (tone, word) = if held.passed { ("ok", "met") } else { ("ub", "not met") };
    let found =
        (!held.passed).then(|| span("held__found").with(("found ", code("").with(&*held.got))));
    li("held__item")
        .attr("data-tone", tone)
        .attr("data-passed", held.passed.then_some("true"))
        .with((
            span("held__icon").with(icon(tone)),
            div("").with((
                button("held__line")
                    .press(move || state.focus_line(line))
                    .with(format!("line {line}")),
                code("held__wanted").with(&*held.wanted),
                span("quiet").with((" on ", &*held.target)),
                b("held__word").with(word),
                found,
            )),
        ))
}
