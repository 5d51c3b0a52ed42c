//! The rules: a searchable list, and each rule with a scenario that keeps it and one that breaks it.

use super::address::Address;
use super::gallery::{examples, item};
use super::listing::listing;
use super::nowhere;
use super::words::{chosen, search};
use crate::judge::scene;
use crate::library::{Library, title};
use protocol::document_page::*;
use protocol::verdict::badge;
use protocol::{DocumentPage, Terms};
use tidegate_check::Options;
use tidegate_check::model::rule::{Force, RULES, Rule};

/// Largest number of states of the search for a rule's scenario.
const STATES: u64 = 100_000;

/// Groups of rules: the prefix of their identifiers, and a heading.
const GROUPS: [(&str, &str); 6] = [
    ("amd.", "AMDGPU: barriers"),
    ("mem.", "AMDGPU: memory"),
    ("async.", "AMDGPU: asynchronous copies"),
    ("ptx.", "NVIDIA: mbarrier, bar, cluster"),
    ("tlx.", "TLX"),
    ("opencl.", "OpenCL C++"),
];

/// All rules, or those that match a search.
pub(super) fn page(address: &Address) -> DocumentPage {
    let sought = address.word("q").to_lowercase();
    let force = address.word("force");
    let is_meant = |rule: &&Rule| says(rule, &sought) && (force.is_empty() || kind(rule) == force);
    let found: Vec<&Rule> = RULES.iter().filter(is_meant).collect();
    let groups = GROUPS.iter().filter_map(|(start, name)| {
        let ours: Vec<&Rule> =
            found.iter().filter(|it| it.id.starts_with(start)).copied().collect();
        (!ours.is_empty()).then(|| group(name, &ours))
    });
    let kinds = [
        ("", "All"),
        ("ub", "Undefined"),
        ("violation", "Violation"),
        ("other", "Deadlock, race, unsupported"),
        ("lint", "Suspicious"),
    ];
    DocumentPage::new("Rules").with((
        div("sieve").with((
            search(address, "Search the rules", found.len(), "rule"),
            chosen(address, "force", "Consequence", &kinds),
        )),
        found.is_empty().then(|| p("calm").with("No matching rules.")),
        all(groups),
    ))
}

/// Returns the consequence of breaking a rule, as the filter names it.
fn kind(rule: &Rule) -> &'static str {
    match rule.class.map(|class| class.word()) {
        Some("ub") => "ub",
        Some("violation" | "hazard") => "violation",
        Some("lint") => "lint",
        _ => "other",
    }
}

/// Whether a rule contains all searched words.
fn says(rule: &Rule, sought: &str) -> bool {
    let text = format!("{} {} {} {}", rule.id, rule.statement, rule.section, rule.remedy);
    let text = text.to_lowercase();
    sought.split_whitespace().all(|word| text.contains(word))
}

fn group(name: &str, rules: &[&Rule]) -> Element {
    section("gallery__group").set("aria-label", name).with((
        h3("gallery__name").with(name),
        ul("gallery__list").with(all(rules.iter().map(|rule| row(rule)))),
    ))
}

fn row(rule: &Rule) -> Element {
    li("").with(a("example rule-row").set("href", format!("#rules/{}", rule.id)).with((
        class_of(rule),
        span("example__title").with(code("").with(rule.id)),
        span("example__note").with(prose(rule.statement)),
    )))
}

/// The class of a violation, or the rule's effect on executions.
fn class_of(rule: &Rule) -> Element {
    match rule.class {
        Some(class) => badge(class.word()),
        None => span("badge").set("data-tone", "unknown").with(rule.force.word()),
    }
}

/// One rule; a notice if it does not exist.
pub(super) fn one(id: &str, library: &Library) -> DocumentPage {
    let Some(rule) = RULES.iter().find(|rule| rule.id == id) else {
        return nowhere("rule", id).with(p("calm").with("See the list of rules."));
    };
    let fact =
        |name: &str, value: Vec<Part>| div("fact").with((dt("").with(name), dd("").with(value)));
    let source = format!("{}, “{}”", rule.document, rule.section);
    let remedy = (!rule.remedy.is_empty()).then(|| fact("Help", prose(rule.remedy)));
    let facts = dl("facts").with((
        fact("Kind", prose(force(rule))),
        fact("Source", prose(&source)),
        remedy,
    ));
    let shows = [("holds", "Keeps it"), ("breaks", "Breaks it")]
        .map(|(word, name)| shown(rule, word, name, library));
    DocumentPage::new(rule.id).with((
        p("rule-says").with((class_of(rule), " ")),
        p("rule-says").with(prose(rule.statement)),
        facts,
        div("pair-of").with(all(shows)),
        gallery(rule, library),
    ))
}

/// Describes the kind of a rule.
fn force(rule: &Rule) -> &'static str {
    match rule.force {
        Force::Defines => "relation definition",
        Force::Constrains => "constraint on executions",
        Force::Requires => "program requirement",
    }
}

/// Returns the path of the scenario that keeps or breaks a rule.
fn path(rule: &Rule, word: &str) -> Option<String> {
    let (group, name) = rule.id.split_once('.')?;
    Some(format!("tests/conformance/{group}/{word}-{}.tide", name.replace('.', "-")))
}

/// A scenario with its current verdict.
fn shown(rule: &Rule, word: &str, name: &str, library: &Library) -> Option<Element> {
    let path = path(rule, word)?;
    let text = library.text(&path)?;
    let options = Options { max_states: Some(STATES), ..Terms::default().options() };
    let report = tidegate_check::check(&scene(text), &options, &mut |_| true);
    let because = report.findings.iter().find(|finding| finding.rule == rule.id);
    let machine = report.machine.as_ref().and_then(|machine| {
        let found = machine.findings.iter().find(|finding| finding.rule == rule.id);
        found.map(|_| badge(&machine.verdict))
    });
    let by_machine = machine.map(|badge| (span("quiet").with("hardware model"), badge));
    Some(
        article("show").set("aria-label", name).with((
            header("show__head").with((
                h3("").with(name),
                badge(&report.verdict),
                by_machine.map(|(word, badge)| vec![word, badge]),
                button("button button--small show__open")
                    .does(Action::Open, path.as_str())
                    .with("Open"),
            )),
            p("show__title").with(title(&path, text)),
            listing(text.trim_end()),
            because.map(|finding| p("show__why").with(prose(&finding.message))),
        )),
    )
}

/// Scenarios of the gallery whose expectations name the rule.
fn gallery(rule: &Rule, library: &Library) -> Option<Element> {
    let named: Vec<Part> = all(examples(library)
        .filter(|it| it.rules().any(|id| id == rule.id))
        .map(|it| item(&it, library)));
    (!named.is_empty()).then(|| {
        section("gallery__group")
            .set("aria-label", "In the gallery")
            .with((h3("gallery__name").with("In the gallery"), ul("gallery__list").with(named)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the letters of a text, without separators of elements and code marks.
    fn letters(text: &str) -> String {
        text.split(|it: char| it.is_whitespace() || it == '`').collect()
    }

    #[test]
    fn every_rule_has_one_group_and_is_found_by_its_identifier() {
        for rule in RULES {
            let groups = GROUPS.iter().filter(|(start, _)| rule.id.starts_with(start));
            assert_eq!(groups.count(), 1, "{}", rule.id);
            let shown = page(&Address::of(&format!("rules?q={}", rule.id))).text();
            assert!(letters(&shown).contains(&letters(rule.statement)), "{}", rule.id);
            assert_eq!(one(rule.id, &Library::default()).title, rule.id);
        }
        assert_eq!(one("amd.nothing", &Library::default()).title, "No such rule");
    }

    #[test]
    fn each_rule_has_one_kind() {
        let count = |force: &str| {
            let text = page(&Address::of(&format!("rules?force={force}"))).text();
            let line =
                text.lines().find(|line| line.ends_with("rules")).expect("a count").to_owned();
            line.split(' ').next().and_then(|count| count.parse::<usize>().ok()).expect("a number")
        };
        let parts: usize = ["ub", "violation", "other", "lint"].iter().map(|it| count(it)).sum();
        assert_eq!((parts, count("")), (RULES.len(), RULES.len()));
    }

    #[test]
    fn scenarios_are_checked_when_they_are_shown() {
        let text = include_str!("../../../../tests/conformance/amd/breaks-drop-race.tide");
        let library =
            Library::of(format!("\u{1e}tests/conformance/amd/breaks-drop-race.tide\n{text}"));
        let shown = one("amd.drop.race", &library).text();
        assert!(shown.contains("Breaks it") && !shown.contains("Keeps it"), "{shown}");
    }
}
