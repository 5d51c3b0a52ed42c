//! The effects of relaxing a rule on a scenario.

use crate::judge::{Progress, scene};
use protocol::document_page::*;
use protocol::verdict::badge;
use protocol::{DocumentPage, Terms};
use tidegate_check::graph::choices::{Part, Rejected, each};
use tidegate_check::graph::{ExecutionGraph, Pick};
use tidegate_check::link::{self, Shared};
use tidegate_check::model::axioms::rules::CAN_BE_LEFT_OUT;
use tidegate_check::model::rule::RuleId;
use tidegate_check::report::{Finding, Report, WitnessStep};
use tidegate_check::{Engine, Options, graph};

/// Largest number of listed relations.
const WAYS: usize = 4;

/// The verdict with every rule, and without each rule that can be relaxed.
pub(super) fn page(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> DocumentPage {
    let scene = scene(text);
    let mut judged = |without: &[RuleId]| {
        let options = Options {
            ambiguities: false,
            machine: false,
            engine: Engine::Axioms,
            without: without.to_vec(),
            ..terms.options()
        };
        tidegate_check::check(&scene, &options, keep_going)
    };
    let page = DocumentPage::new("Relax a rule");
    let whole = judged(&[]);
    if whole.engine != "axioms" || matches!(&*whole.verdict, "invalid" | "unsupported") {
        return page.with(p("").with("The AMDGPU barrier axioms do not apply to this scenario."));
    }
    let less = CAN_BE_LEFT_OUT.map(|rule| judged(&[rule]));
    let options = Options { engine: Engine::Axioms, ..terms.options() };
    let ruled_out = graph(&scene, &options, Pick::default(), keep_going).ok();
    let rows = CAN_BE_LEFT_OUT.into_iter().zip(&less).map(|(rule, report)| {
        row(rule, report, &whole, possible(rule, text, terms, &whole, ruled_out.as_ref()))
    });
    page.with((
        p("turn").with((span("quiet").with("With every rule "), badge(&whole.verdict), span("quiet").with(counted(&whole)))),
        ul("gallery__list").with(all(rows)),
        p("quiet").with("Checked with the axioms, on barriers only. Command line: tidegate check --without RULE."),
    ))
}

/// One rule: its statement, and the verdict without it.
fn row(rule: RuleId, report: &Report, whole: &Report, possible: Option<Element>) -> Element {
    let rule = rule.get();
    let same = report.verdict == whole.verdict && counted(report) == counted(whole);
    let gone = whole.findings.iter().any(|it| it.rule == rule.id);
    let decided = report.exhaustive && whole.exhaustive;
    let change = match (same, gone) {
        _ if !decided => "Inconclusive: the enumeration reached its limit.",
        (true, false) => "No effect on this scenario.",
        (_, true) if report.verdict == "ok" => "Becomes defined.",
        _ => "More executions become possible.",
    };
    li("share__row without")
        .set("data-rule", rule.id)
        .set("data-changes", if same { "no" } else { "yes" })
        .with((
            div("").with((
                a("").set("href", format!("#rules/{}", rule.id)).with(code("").with(rule.id)),
                p("quiet").with(prose(rule.statement)),
                p("").with((change, decided.then(|| span("quiet").with(counted(report))))),
                possible,
            )),
            span("quiet").with("without"),
            badge(&report.verdict),
        ))
}

/// An execution that becomes possible without a rule: one that breaks the rule, or relations that the rule excludes.
fn possible(
    rule: RuleId,
    text: &str,
    terms: &Terms,
    whole: &Report,
    graph: Option<&ExecutionGraph>,
) -> Option<Element> {
    let broken = whole.findings.iter().find(|it| it.rule == rule.get().id);
    broken.map(|finding| steps(finding, text, terms)).or_else(|| ways(rule, graph?))
}

/// The steps of the execution that breaks a rule, and a link that opens it.
fn steps(finding: &Finding, text: &str, terms: &Terms) -> Element {
    let step = |step: &WitnessStep| {
        li("")
            .with((code("").with(&*step.operation), span("quiet").with(format!(" {}", step.agent))))
    };
    let Terms { target, readings, .. } = terms.clone();
    let steps = finding.witness.iter().map(|step| step.key.clone()).collect();
    let shared = Shared { text: text.to_owned(), target, readings, steps, ..Shared::default() };
    let count = finding.witness.len();
    details("without__steps").with((
        summary("").with(format!("Example execution ({count} steps)")),
        ol("").with(all(finding.witness.iter().map(step))),
        a("").set("href", link::encode(&shared)).with("Step through"),
    ))
}

/// The participates-in relations of an execution that only this rule excludes.
fn ways(rule: RuleId, graph: &ExecutionGraph) -> Option<Element> {
    let ours = graph.listed.rejected.iter().filter(|it| it.clause.rule() == Some(rule));
    let way = |rejected: &Rejected| {
        let part = |part: &Part| {
            let set: Vec<String> = each(part.set).map(|event| graph.name(event)).collect();
            p("").with(prose(&format!("{} depends on {}.", graph.name(part.wait), set.join(", "))))
        };
        li("").with((
            all(rejected.assignment.iter().map(part)),
            p("quiet").with(prose(&graph.why_rejected(rejected))),
        ))
    };
    let all = all(ours.take(WAYS).map(way));
    (!all.is_empty()).then(|| {
        details("without__steps")
            .with((summary("").with("Relations that only this rule excludes"), ol("").with(all)))
    })
}

/// Describes the number of executions, and the largest number of relations for the same orders. Executions that end at a
/// broken rule are counted, so relaxing a rule can lower the number.
fn counted(report: &Report) -> String {
    let relations = report.participates_in.as_ref().map(|counted| {
        let plural = if counted.most == 1 { "" } else { "s" };
        format!(", at most {} relation{plural} for the same orders", counted.most)
    });
    let plural = if report.stats.executions == 1 { "" } else { "s" };
    let is_cut = report.findings.iter().any(|it| matches!(&*it.class, "ub" | "violation"));
    let (whole, cut) = match is_cut {
        true => ("", ", counted to where a rule is broken"),
        false => ("whole ", ""),
    };
    format!(
        " {} {whole}execution{plural}{cut}{}",
        report.stats.executions,
        relations.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        page(text, &Terms::default(), &mut |_| true).text()
    }

    #[test]
    fn each_rule_shows_the_effects_of_relaxing_it() {
        let broken =
            shown(include_str!("../../../../tests/conformance/amd/breaks-join-before-wait.tide"));
        assert!(
            broken.contains("Becomes defined.")
                && broken.contains("No effect")
                && broken.contains("Step through"),
            "{broken}"
        );
        let late = shown(include_str!("../../../../examples/join-too-late.tide"));
        assert!(
            late.contains("24 executions, counted to where a rule is broken")
                && late.contains(" 8 whole executions, at most 1 relation"),
            "{late}"
        );
        let separated =
            shown(include_str!("../../../../tests/conformance/amd/breaks-phase-separation.tide"));
        assert!(separated.contains("More executions become possible."), "{separated}");
        assert!(separated.contains("that only this rule excludes"), "{separated}");
        assert!(
            shown("target sm_90\nlaunch warps=1\nwarp 0 { bar.sync 0 }").contains("do not apply")
        );
    }
}
