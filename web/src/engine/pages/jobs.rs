//! Long jobs: the smallest scenario with a finding, the difference of two scenarios.

use super::lines::{Change, changes};
use super::listing::listing;
use super::markdown::link_to;
use super::{needs, without};
use crate::judge::{Progress, scene};
use protocol::document_page::*;
use protocol::verdict::badge;
use protocol::{DocumentPage, Job, Terms};
use tidegate_check::difference::{Difference, EdgeDifference, Judgements, difference};
use tidegate_check::link;
use tidegate_check::report::{CertifiedRun, Finding};
use tidegate_check::shrink::{Keep, ShrinkError, Shrunk, shrink};

/// Largest number of lines of a certificate.
const LINES: usize = 400;

/// Largest number of edges in a difference.
const EDGES: usize = 60;

/// Performs a job on a text.
pub(crate) fn work(
    job: &Job,
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> DocumentPage {
    match job {
        Job::Shrink => shrunk(text, terms, keep_going),
        Job::Compare(other) => compared(other, text, terms, keep_going),
        Job::Without => without::page(text, terms, keep_going),
        Job::Needs => needs::page(text, terms, keep_going),
        Job::Certificate => proof(text, terms, keep_going),
        Job::Recorded(recorded) => recorded_then(recorded, text, terms, keep_going),
    }
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The certificate of the verdict, in the words of the scenario.
fn proof(text: &str, terms: &Terms, keep_going: &mut dyn FnMut(Progress) -> bool) -> DocumentPage {
    let page = DocumentPage::new("Proof by one run");
    let Some(certificate) = tidegate_check::certificate(&scene(text), &terms.options(), keep_going)
    else {
        return page.with(p("").with(
            "One run covers every execution, because in each of its states one step may go first. The search shows this; only the conditions on vector clocks have a certificate, and they do not decide this scenario.",
        ));
    };
    let run = |run: &CertifiedRun| {
        let steps = count(run.steps.len() as u64, "step");
        let choice = run.choice.map(|choice| format!(" for choice {choice} of the host"));
        let claim = format!(
            "Every execution{} is a reordering of these {steps}. An independent checker accepts the certificate.",
            choice.unwrap_or_default()
        );
        let mut lines = run.lines();
        let rest = lines.len().saturating_sub(LINES);
        lines.truncate(LINES);
        let more = (rest > 0).then(|| {
            p("quiet").with(format!("and {rest} more lines: tidegate check --certificate"))
        });
        div("").with((p("").with(claim), listing(&lines.join("\n")), more))
    };
    page.with(all(certificate.runs.iter().map(run)))
}

fn shrunk(text: &str, terms: &Terms, keep_going: &mut dyn FnMut(Progress) -> bool) -> DocumentPage {
    let page = DocumentPage::new("Smallest scenario");
    match shrink(&scene(text), &terms.options(), &Keep::Finding(0), keep_going) {
        Ok(shrunk) if shrunk.steps == 0 => {
            page.with(p("").with("This scenario is already minimal."))
        }
        Ok(shrunk) => page.with(smaller(&shrunk)),
        Err(ShrinkError::Invalid) => page.with(p("").with("The scenario has errors.")),
        Err(_) => page.with(p("").with("There is no finding to keep.")),
    }
}

fn smaller(shrunk: &Shrunk) -> Vec<Part> {
    let end = match shrunk.minimal {
        true => "no single removal makes it smaller",
        false => "the search reached its limit; smaller ones may exist",
    };
    let how = format!(
        "{}, {} checked; {end}.",
        count(shrunk.steps, "step"),
        count(shrunk.judged, "scenario")
    );
    all([
        p("").with(prose(&shrunk.kept)),
        p("quiet").with(how),
        listing(shrunk.text.trim_end()),
        div("job__do").with((
            button("button button--main")
                .does(Action::Rewrite, &*shrunk.text)
                .with("Replace scenario"),
            button("button").does(Action::Copy, &*shrunk.text).with("Copy"),
            span("quiet").with("You can undo this in the editor."),
        )),
    ])
}

/// The fields that select the other scenario; `open` lists the links of the other open scenarios, each after a `/`.
pub(super) fn chooser(open: &str) -> Vec<Part> {
    let others = open.split('/').filter_map(|link| {
        let scene = scene(&link::decode(link).ok()?.text);
        let title = if scene.title().is_empty() { "Untitled" } else { scene.title() }.to_owned();
        Some(button("button").does(Action::Work, format!("compare:{link}")).with(title))
    });
    let field = input("field__text")
        .set("id", "other")
        .set("autocomplete", "off")
        .set("spellcheck", "false")
        .set("placeholder", "Paste a link")
        .set("aria-label", "Link to compare")
        .does(Action::Work, "compare:");
    let about = "Compare this scenario with a link, its original version or another open scenario: text, verdicts, findings and relations.";
    all([
        p("aside").with(about),
        div("sieve").with((
            field,
            button("button").does(Action::Work, "opened").with("Original version"),
            all(others),
        )),
    ])
}

/// Returns the text of a link or a scenario. A single word cannot be a scenario, so it is treated as a link.
fn other_text(other: &str) -> Result<String, String> {
    let trimmed = other.trim();
    match trimmed.contains("#v") || trimmed.starts_with("v1.") {
        true => link::decode(trimmed).map(|it| it.text).map_err(|error| error.to_string()),
        false if trimmed.contains(char::is_whitespace) => Ok(other.to_owned()),
        false => Err("This is not a link to a scenario: expected an address with `#v1.`. Copy one from Share".into()),
    }
}

fn compared(
    other: &str,
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> DocumentPage {
    let page = DocumentPage::new("Differences").with(chooser(""));
    let before = match other_text(other) {
        Ok(before) => before,
        Err(why) => return page.with(p("").set("role", "alert").with(prose(&format!("{why}.")))),
    };
    if before == text {
        return page.with(p("").with("The scenarios are identical."));
    }
    let found = difference(&scene(&before), &scene(text), &terms.options(), &[], keep_going);
    let description = match &found {
        Some(found) => judged(found),
        None => all([p("").with("One scenario has errors: only the texts are compared.")]),
    };
    page.with((description, texts(&before, text), found.as_ref().map(relations)))
}

/// Verdicts and findings.
fn judged(found: &Difference) -> Vec<Part> {
    let judgement = |one: &Judgements| {
        let machine = one.left_machine.as_deref().zip(one.right_machine.as_deref());
        let machine = machine.filter(|(left, right)| left != right).map(|(left, right)| {
            p("turn").with((
                span("quiet").with("hardware model "),
                badge(left),
                " \u{2192} ",
                badge(right),
            ))
        });
        let only = |sign: &str, all_of: &[Finding]| {
            all(all_of.iter().map(|finding| description(sign, finding)))
        };
        let same = (!one.differ()).then(|| p("quiet").with("Same verdicts and findings."));
        div("").with((
            p("turn").with((badge(&one.left), " \u{2192} ", badge(&one.right))),
            machine,
            same,
            only("\u{2212}", &one.lost),
            only("+", &one.gained),
            all(one.ambiguities.iter().map(|id| {
                let sign = if one.left_ambiguities.contains(id) { "\u{2212} " } else { "+ " };
                p("").with((
                    b("").with(sign),
                    "The verdict depends on the reading ",
                    link_to(id),
                    ".",
                ))
            })),
        ))
    };
    all(found.judgements.iter().map(judgement))
}

fn description(sign: &str, finding: &Finding) -> Element {
    let rule =
        a("").set("href", format!("#rules/{}", finding.rule)).with(code("").with(&*finding.rule));
    p("").with((b("").with(format!("{sign} ")), rule, " ", prose(&finding.message)))
}

/// The lines that only one text has.
fn texts(before: &str, after: &str) -> Element {
    let head = h3("gallery__name").with("Text");
    let Some(changes) = changes(before, after) else {
        return section("")
            .with((head, p("quiet").with("The texts are too long to compare line by line.")));
    };
    let line = |change: &Change<'_>| {
        let (sign, class, number, text) = match change {
            Change::Lost(number, text) => ("\u{2212}", "diff diff--lost", number, text),
            Change::Gained(number, text) => ("+", "diff diff--gained", number, text),
        };
        li(class).with((span("diff__at").with(format!("{sign}{number}")), code("").with(*text)))
    };
    let same = changes.is_empty().then(|| p("quiet").with("Identical."));
    section("").with((head, ul("diffs").with(all(changes.iter().map(line))), same))
}

/// The edges that only one execution has.
fn relations(found: &Difference) -> Option<Element> {
    let edge = |edge: &EdgeDifference| {
        let (sign, class) =
            if edge.left { ("\u{2212}", "diff diff--lost") } else { ("+", "diff diff--gained") };
        let words = format!("`{}`: {} to {}", edge.relation, edge.from, edge.to);
        li(class).with((span("diff__at").with(sign), span("").with(prose(&words))))
    };
    let more = found.edges.len().checked_sub(EDGES).filter(|more| *more > 0);
    (!found.edges.is_empty()).then(|| {
        section("").with((
            h3("gallery__name").with("Relations of an execution"),
            ul("diffs").with(all(found.edges.iter().take(EDGES).map(edge))),
            more.map(|more| p("quiet").with(format!("And {more} more."))),
        ))
    })
}

/// Compares the verdict in a link with the current verdict.
fn recorded_then(
    recorded: &str,
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> DocumentPage {
    let report = tidegate_check::check(&scene(text), &terms.options(), keep_going);
    let (verdict, rule) = recorded.split_once(' ').unwrap_or((recorded, ""));
    let link = |rule: &str| a("").set("href", format!("#rules/{rule}")).with(code("").with(rule));
    let rule = (!rule.is_empty()).then(|| link(rule));
    DocumentPage::new("Recorded verdict").with((
        p("turn").with((span("quiet").with("recorded "), badge(verdict), " ", rule)),
        p("turn").with((span("quiet").with("now "), badge(&report.verdict), span("quiet").with(format!(" on {}", report.target)))),
        all(report.findings.iter().map(|finding| description("+", finding))),
        p("quiet").with("The text is the same. The rules, readings or target table changed since the link was made."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKEN: &str = include_str!("../../../../examples/join-too-late.tide");
    const SYNC: &str = include_str!("../../../../examples/two-waves-meet.tide");

    fn done(job: Job, text: &str) -> String {
        work(&job, text, &Terms::default(), &mut |_| true).text()
    }

    #[test]
    fn a_smaller_scenario_is_offered() {
        let text = done(Job::Shrink, BROKEN);
        assert!(
            text.contains("verdict ub by amd.join.before-wait")
                && text.contains("Replace scenario"),
            "{text}"
        );
        assert!(done(Job::Shrink, SYNC).contains("There is no finding"));
        assert!(done(Job::Shrink, "wave {").contains("has errors"));
    }

    #[test]
    fn other_open_scenarios_are_listed_by_title() {
        let shared = link::Shared { text: SYNC.to_owned(), ..link::Shared::default() };
        let link = link::encode(&shared);
        let chosen = |open: &str| format!("{:?}", chooser(open));
        let description = chosen(&format!("/{link}/damaged/"));
        assert!(
            description.contains(scene(SYNC).title())
                && description.contains(&format!("compare:{link}")),
            "{description}"
        );
        assert_eq!(chosen("/damaged/"), chosen(""));
    }

    #[test]
    fn a_comparison_marks_the_scenario_that_depends_on_a_reading() {
        let open = include_str!("../../../../tests/conformance/amd/join-before-init.tide");
        let description = "The verdict depends on the reading amd.A17";
        for (before, text, sign) in [(open, SYNC, "\u{2212}"), (SYNC, open, "+")] {
            let text = done(Job::Compare(before.into()), text);
            assert!(text.contains(&format!("{sign} \n{description}")), "{text}");
        }
    }

    #[test]
    fn two_scenarios_are_compared_in_verdict_text_and_relations() {
        let text = done(Job::Compare(BROKEN.into()), SYNC);
        for part in ["Undefined", "Defined", "amd.join.before-wait", "join ready", "Relations"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(done(Job::Compare(SYNC.into()), SYNC).contains("identical"));
        assert!(done(Job::Compare("#v1.AAAA".into()), SYNC).contains("damaged"));
        assert!(done(Job::Compare("wave {".into()), SYNC).contains("has errors"));
        assert!(done(Job::Compare("https://example.org/".into()), SYNC).contains("not a link"));
    }

    #[test]
    fn the_recorded_and_the_current_verdict_are_shown() {
        let text = done(Job::Recorded("ub amd.drop.race".into()), SYNC);
        assert!(text.contains("amd.drop.race") && text.contains("Defined"), "{text}");
    }
}
