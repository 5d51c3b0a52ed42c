//! The readings that affect a scenario: their choices, with the verdict under each.

use super::markdown::link_to;
use protocol::document_page::*;
use protocol::verdict::badge;
use protocol::{DocumentPage, Doubts};
use std::collections::BTreeMap;
use tidegate_check::model::reading::ReadingId;

/// Lists the readings that change the verdict and those with a non-default choice.
pub(crate) fn open(doubts: &Doubts) -> DocumentPage {
    let open = doubts.open.iter().map(|(id, verdicts)| reading(id, verdicts, doubts));
    let settled =
        doubts.settled.keys().filter(|id| doubts.open.iter().all(|(open, _)| open != *id));
    let none = BTreeMap::new();
    let all = all(open.chain(settled.map(|id| reading(id, &none, doubts))));
    DocumentPage::new("Readings").with(match all.is_empty() {
        true => p("calm").with("No ambiguity in the specification affects this verdict."),
        false => ul("readings__list").with(all),
    })
}

fn reading(id: &str, verdicts: &BTreeMap<String, String>, doubts: &Doubts) -> Element {
    let Some(known) = ReadingId::from_name(id).map(ReadingId::get) else {
        return choice_of_phases(id, verdicts);
    };
    let usual = known.choices[0].name;
    let taken = doubts.settled.get(id).map_or(usual, String::as_str);
    let answers = known.choices.iter().map(|answer| {
        let name = answer.name;
        // A verdict that does not depend on the choice is the report's.
        let verdict = verdicts.get(name).unwrap_or(&doubts.verdict);
        let field = input("answer__field")
            .set("type", "radio")
            .set("name", known.name)
            .set_if(name == taken, "checked", "")
            .does(Action::Reading, format!("{}={name}", known.name));
        label("answer").with((
            field,
            span("answer__words").with((code("").with(name), " ", answer.meaning)),
            badge(verdict),
        ))
    });
    li("reading").set("data-reading", known.name).with(fieldset("").with((
        legend("reading__question").with((link_to(known.name), " ", known.question)),
        p("quiet").with(known.passages),
        all(answers),
    )))
}

/// A verdict that depends on the phases of the waits: an observation on the specification, without a choice.
fn choice_of_phases(id: &str, verdicts: &BTreeMap<String, String>) -> Element {
    let words = |name: &str| match name {
        "every-choice" => "Broken only if every assignment of phases breaks a rule",
        _ => "Broken if some assignment of phases breaks a rule",
    };
    let rows = verdicts.iter().map(|(name, verdict)| {
        p("answer").with((span("answer__words").with(words(name)), badge(verdict)))
    });
    li("reading").set("data-reading", id).with((
        p("reading__question").with((code("").with(id), " On which phases do the waits depend?")),
        all(rows),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_shows_each_choice_with_its_verdict() {
        let verdicts = BTreeMap::from([("undefined".into(), "ub".into())]);
        let doubts = Doubts {
            verdict: "ok".into(),
            open: vec![("amd.A6".into(), verdicts), ("phases".into(), BTreeMap::new())],
            settled: BTreeMap::from([("amd.A1".into(), "undefined".into())]),
        };
        let shown = open(&doubts);
        let text = shown.text();
        assert!(text.contains("Undefined") && text.contains("Defined"), "{text}");
        assert!(format!("{shown:?}").contains("#readings/amd.A6"), "{shown:?}");
        assert!(text.contains("amd.A1") && text.contains("On which phases"), "{text}");
        assert!(open(&Doubts::default()).text().starts_with("No ambiguity"));
    }
}
