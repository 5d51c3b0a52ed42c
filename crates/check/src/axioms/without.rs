//! The effects of relaxing a rule.

use crate::report::Report;
use crate::scene::{Options, Scene};
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;

fn without(text: &str, rules: &[RuleId]) -> Report {
    let options = Options { without: rules.to_vec(), ..Options::default() };
    crate::check(&Scene::new("x.tide", text), &options, &mut |_| true)
}

fn rules(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.rule.as_str()).collect()
}

#[test]
fn a_violation_is_defined_without_its_rule() {
    for (rule, text) in [
        (
            RuleId::AmdDropRace,
            include_str!("../../../../tests/conformance/amd/breaks-drop-race.tide"),
        ),
        (
            RuleId::AmdJoinBeforeWait,
            include_str!("../../../../tests/conformance/amd/breaks-join-before-wait.tide"),
        ),
    ] {
        assert_eq!(rules(&without(text, &[])), [rule.get().id]);
        let report = without(text, &[rule]);
        assert_eq!((report.verdict.as_str(), report.engine.as_str()), ("ok", "axioms"));
        assert!(report.exhaustive && report.findings.is_empty());
    }
}

#[test]
fn an_excluded_execution_is_possible_without_its_rule() {
    let text = include_str!("../../../../tests/conformance/amd/breaks-phase-separation.tide");
    let most =
        |rules: &[RuleId]| without(text, rules).participates_in.map_or(0, |counted| counted.most);
    assert_eq!(most(&[]), 1);
    assert!(most(&[RuleId::AmdPhaseSeparation]) > 1);
}

#[test]
fn other_rules_stay() {
    let text = include_str!("../../../../tests/conformance/amd/breaks-init-first.tide");
    let some = [RuleId::AmdPhaseSeparation, RuleId::AmdDropRace, RuleId::AmdJoinBeforeWait];
    let report = without(text, &some);
    assert!(rules(&report).contains(&"amd.init.first"), "{report:?}");
    // A rule that cannot be relaxed stays in force.
    let report = without(text, &[RuleId::AmdInitFirst]);
    assert!(rules(&report).contains(&"amd.init.first") && report.engine != "axioms");
}
