//! The axiom switchboard: what becomes possible of a scenario where a rule is left out.

use crate::judge::{Progress, scene};
use protocol::sheet::*;
use protocol::verdict::badge;
use protocol::{Sheet, Terms};
use tidegate_check::model::axioms::rules::CAN_BE_LEFT_OUT;
use tidegate_check::model::rule::RuleId;
use tidegate_check::report::Report;
use tidegate_check::{Engine, Options};

/// The verdict with every rule, and without each that can be left out.
pub(super) fn page(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Sheet {
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
    let sheet = Sheet::new("Without a rule");
    let whole = judged(&[]);
    if whole.engine != "axioms" || matches!(&*whole.verdict, "invalid" | "unsupported") {
        return sheet
            .with(p("").with("The axioms of AMDGPU's barriers do not judge this scenario here."));
    }
    let rows = CAN_BE_LEFT_OUT.map(|rule| row(rule, &judged(&[rule]), &whole));
    sheet.with((
        p("turn").with((span("quiet").with("With every rule "), badge(&whole.verdict), span("quiet").with(counted(&whole)))),
        ul("gallery__list").with(all(rows)),
        p("quiet").with("Judged by the axioms, on barriers alone. On the command line: tidegate check --without RULE."),
    ))
}

/// One rule: what it says, and the verdict without it.
fn row(rule: RuleId, report: &Report, whole: &Report) -> Element {
    let rule = rule.get();
    let same = report.verdict == whole.verdict && counted(report) == counted(whole);
    let gone = whole.findings.iter().any(|it| it.rule == rule.id);
    let change = match (same, gone) {
        (true, false) => "Nothing changes: it does not matter here.",
        (_, true) => "What broke it is allowed.",
        (false, false) => "More is possible.",
    };
    li("share__row without")
        .set("data-rule", rule.id)
        .set("data-changes", if same { "no" } else { "yes" })
        .with((
            div("").with((
                a("").set("href", format!("#rules/{}", rule.id)).with(code("").with(rule.id)),
                p("quiet").with(prose(rule.statement)),
                p("").with((change, span("quiet").with(counted(report)))),
            )),
            span("quiet").with("without"),
            badge(&report.verdict),
        ))
}

/// How many executions there are, and how many relations at most share their orders.
fn counted(report: &Report) -> String {
    let relations = report.participates_in.as_ref().map(|counted| {
        let plural = if counted.most == 1 { "" } else { "s" };
        format!(", at most {} relation{plural} for the same orders", counted.most)
    });
    let plural = if report.stats.executions == 1 { "" } else { "s" };
    format!(" {} execution{plural}{}", report.stats.executions, relations.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        page(text, &Terms::default(), &mut |_| true).text()
    }

    #[test]
    fn each_rule_says_what_becomes_possible_without_it() {
        let broken =
            shown(include_str!("../../../../tests/conformance/amd/breaks-join-before-wait.tide"));
        assert!(
            broken.contains("What broke it is allowed.") && broken.contains("does not matter"),
            "{broken}"
        );
        let separated =
            shown(include_str!("../../../../tests/conformance/amd/breaks-phase-separation.tide"));
        assert!(separated.contains("More is possible."), "{separated}");
        assert!(
            shown("target sm_90\nlaunch warps=1\nwarp 0 { bar.sync 0 }").contains("do not judge")
        );
    }
}
