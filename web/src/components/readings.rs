//! Questions that the text leaves open and that matter to this scenario: both answers, and a choice.

use super::verdict_bar::badge;
use crate::dom::*;
use crate::engine::{self, Report};
use crate::state::State;
use leptos::prelude::*;
use std::collections::BTreeMap;

/// The questions, and a way to all of them.
pub(super) fn readings(state: State) -> El {
    let list = move || state.report.get().filter(|_| state.valid.get()).map(|it| open(state, &it));
    div("readings").with((
        list,
        button("button readings__all")
            .press(move || state.visit("#readings"))
            .with("All readings and observations"),
    ))
}

/// Those under which the verdict is another, and those that were chosen otherwise than usual.
fn open(state: State, report: &Report) -> El {
    let open =
        report.ambiguities.iter().map(|open| reading(state, &open.id, &open.verdicts, report));
    let settled =
        report.readings.keys().filter(|id| report.ambiguities.iter().all(|open| open.id != **id));
    let none = BTreeMap::new();
    let settled = settled.map(|id| reading(state, id, &none, report));
    let all = all(open.chain(settled));
    match all.is_empty() {
        true => p("calm").with("No question that the text leaves open changes this verdict."),
        false => ul("readings__list").with(all),
    }
}

fn reading(state: State, id: &str, verdicts: &BTreeMap<String, String>, report: &Report) -> El {
    let Some(known) = engine::reading(id) else { return choice_of_phases(id, verdicts) };
    let usual = known.choices[0].name;
    let taken = report.readings.get(id).map_or(usual, String::as_str);
    let answers = known.choices.iter().map(|answer| {
        let (id, name, chosen) = (known.name, answer.name, answer.name == taken);
        // Where the verdict is the same under both answers, it is that of the report.
        let verdict = verdicts.get(name).unwrap_or(&report.verdict);
        let field = input("answer__field")
            .attr("type", "radio")
            .attr("name", id)
            .attr("checked", chosen)
            .on("change", move |_| state.choose_reading(id, name));
        label("answer").with((
            field,
            span("answer__words").with((code("").with(name), " ", answer.meaning)),
            badge(verdict),
        ))
    });
    li("reading").attr("data-reading", known.name).with(el("fieldset", "").with((
        el("legend", "reading__question").with((code("").with(known.name), " ", known.question)),
        p("quiet").with(known.passages),
        all(answers),
    )))
}

/// A verdict that hangs on which phases the waits depend on: no reading to choose, an observation on the text.
fn choice_of_phases(id: &str, verdicts: &BTreeMap<String, String>) -> El {
    let words = |name: &str| match name {
        "every-choice" => "Broken only where every choice of phases breaks it",
        _ => "Broken where some choice of phases breaks it",
    };
    let rows = verdicts.iter().map(|(name, verdict)| {
        p("answer").with((span("answer__words").with(words(name)), badge(verdict)))
    });
    li("reading").attr("data-reading", id).with((
        p("reading__question").with((code("").with(id), " On which phases do the waits depend?")),
        all(rows),
    ))
}
