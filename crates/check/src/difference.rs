//! The differences in the results of two scenarios.

use crate::check::{check, graph};
use crate::graph::{ExecutionGraph, Pick, RelationId};
use crate::judge::KeepGoing;
use crate::report::{Finding, Report};
use crate::scene::{Options, Scene};
use crate::tell::names::placed;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::target::TargetId;

/// The differences in the results of two scenarios.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Difference {
    /// The judgements that were compared, in the order of the targets.
    pub judgements: Vec<Judgements>,
    /// Edges of the relations that fix an execution, of the first witness or else of a whole execution of each; empty
    /// where one of the two has none.
    pub edges: Vec<EdgeDifference>,
}

/// Two judgements on one target, or each on the own target of its scenario.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Judgements {
    /// Target of the first.
    pub left_target: String,
    /// Target of the second.
    pub right_target: String,
    /// Verdict of the first.
    pub left: String,
    /// Verdict of the second.
    pub right: String,
    /// Verdict of the hardware model on the first, if there is one.
    pub left_machine: Option<String>,
    /// Verdict of the hardware model on the second, if there is one.
    pub right_machine: Option<String>,
    /// Findings of the first by rules that the second does not break.
    pub lost: Vec<Finding>,
    /// Findings of the second by rules that the first does not break.
    pub gained: Vec<Finding>,
    /// Readings that only one of them depends on.
    pub ambiguities: Vec<String>,
    /// The ambiguities among them that the first scenario depends on; the second depends on the others.
    pub left_ambiguities: Vec<String>,
}

impl Judgements {
    /// Whether anything differs.
    #[must_use]
    pub fn differ(&self) -> bool {
        self.left != self.right
            || self.left_machine != self.right_machine
            || !(self.lost.is_empty() && self.gained.is_empty() && self.ambiguities.is_empty())
    }
}

/// An edge that only one of two executions has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EdgeDifference {
    /// Whether the first has it; else the second.
    pub left: bool,
    /// Name of the relation.
    pub relation: String,
    /// The first operation of the edge: its text and its agent.
    pub from: String,
    /// The operation that it leads to.
    pub to: String,
}

impl Difference {
    /// Whether anything differs in what was judged.
    #[must_use]
    pub fn differ(&self) -> bool {
        self.judgements.iter().any(Judgements::differ) || !self.edges.is_empty()
    }
}

/// Compares two scenarios on some targets; with none, each on its own. `None` where one of them is invalid.
pub fn difference(
    left: &Scene,
    right: &Scene,
    options: &Options,
    targets: &[TargetId],
    keep_going: KeepGoing<'_>,
) -> Option<Difference> {
    if !(left.is_valid() && right.is_valid()) {
        return None;
    }
    let mut judgements = |target: Option<TargetId>| {
        let options = Options { target: target.or(options.target), ..options.clone() };
        let reports = [left, right].map(|scene| check(scene, &options, keep_going));
        judged(reports)
    };
    let judgements = match targets {
        [] => [judgements(None)].into(),
        targets => targets.iter().map(|&target| judgements(Some(target))).collect(),
    };
    let edges = edges(left, right, options, keep_going).unwrap_or_default();
    Some(Difference { judgements, edges })
}

fn judged([left, right]: [Report; 2]) -> Judgements {
    let rules = |report: &Report| -> OrderedSet<String> {
        report.findings.iter().map(|finding| finding.rule.clone()).collect()
    };
    let open = |report: &Report| -> OrderedSet<String> {
        report.ambiguities.iter().map(|ambiguity| ambiguity.id.clone()).collect()
    };
    let (before, after) = (rules(&left), rules(&right));
    let (open_before, open_after) = (open(&left), open(&right));
    let only = |report: &Report, other: &OrderedSet<String>| {
        let findings = report.findings.iter();
        findings.filter(|finding| !other.contains(&finding.rule)).cloned().collect()
    };
    Judgements {
        lost: only(&left, &after),
        gained: only(&right, &before),
        ambiguities: open_before.symmetric_difference(&open_after).cloned().collect(),
        left_ambiguities: open_before.difference(&open_after).cloned().collect(),
        left_machine: left.machine.map(|machine| machine.verdict),
        right_machine: right.machine.map(|machine| machine.verdict),
        left_target: left.target,
        right_target: right.target,
        left: left.verdict,
        right: right.verdict,
    }
}

/// The identity of an execution: the order of each object and the participants of each wait.
const COMPARED: [RelationId; 2] = [RelationId::ModificationOrder, RelationId::ParticipatesIn];

fn edges(
    left: &Scene,
    right: &Scene,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<Vec<EdgeDifference>> {
    let [first, second] = [left, right].map(|scene| {
        let found = graph(scene, options, Pick::default(), keep_going).ok()?;
        Some(named(&found))
    });
    let (first, second) = (first?, second?);
    let mark = |left: bool| {
        move |(relation, from, to): &(String, String, String)| EdgeDifference {
            left,
            relation: relation.clone(),
            from: from.clone(),
            to: to.clone(),
        }
    };
    let lost = first.difference(&second).map(mark(true));
    Some(lost.chain(second.difference(&first).map(mark(false))).collect())
}

/// Edges by the names of their ends, which do not depend on lines.
fn named(graph: &ExecutionGraph) -> OrderedSet<(String, String, String)> {
    let mut seen: OrderedMap<String, u32> = OrderedMap::new();
    let nodes = graph.graph.raw_nodes().iter().map(|node| &node.weight);
    let names: Vec<String> = nodes
        .map(|operation| {
            let name = placed(&operation.label, &graph.agents[operation.agent], 0);
            let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
            if *count == 1 { name } else { format!("{name}, occurrence {count}") }
        })
        .collect();
    let edges = graph.drawn(&COMPARED);
    edges
        .map(|(from, to, edge)| {
            (edge.relation.name().to_string(), names[from].clone(), names[to].clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(left: &str, right: &str, targets: &[&str]) -> Difference {
        let targets: Vec<TargetId> =
            targets.iter().filter_map(|name| TargetId::from_name(name)).collect();
        let [left, right] = [left, right].map(|text| Scene::new("x.tide", text));
        difference(&left, &right, &Options::default(), &targets, &mut |_| true).unwrap()
    }

    const MEET: &str = "target gfx1250\nlaunch waves=2\nwave * { arrive wg; wait wg }";

    #[test]
    fn a_scenario_does_not_differ_from_itself() {
        assert!(!between(MEET, MEET, &["gfx900", "gfx1250"]).differ());
        let moved = MEET.replace("wave *", "\n\n// moved\nwave 0-1");
        assert!(!between(MEET, &moved, &[]).differ());
    }

    #[test]
    fn verdict_rule_and_edges_that_were_lost_and_won() {
        let stuck = "target gfx1250\nlaunch waves=2\nbarrier p\nwave 0 { arrive wg; wait wg }\nwave 1 { arrive wg; wait wg; wait p }";
        let found = between(MEET, stuck, &[]);
        let judged = &found.judgements[0];
        assert_eq!((judged.left.as_str(), judged.right.as_str()), ("ok", "deadlock"));
        assert!(judged.lost.is_empty());
        assert_eq!(judged.gained[0].rule, "amd.wait.never-completes");
        let less =
            between(MEET, "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg }", &[]);
        assert!(
            less.edges.iter().any(|edge| edge.left && edge.from == "`arrive wg` (wave 1)"),
            "{less:?}"
        );
    }

    #[test]
    fn it_is_known_which_of_the_two_depends_on_a_reading() {
        let open = include_str!("../../../tests/conformance/amd/join-before-init.tide");
        for (left, right, by_left) in [(open, MEET, true), (MEET, open, false)] {
            let judged = &between(left, right, &[]).judgements[0];
            assert_eq!(judged.ambiguities, ["amd.A17"]);
            assert_eq!(judged.left_ambiguities.contains(&judged.ambiguities[0]), by_left);
        }
    }

    #[test]
    fn an_invalid_scenario_is_not_compared() {
        let [left, right] = [MEET, "wave 0 {"].map(|text| Scene::new("x.tide", text));
        assert_eq!(difference(&left, &right, &Options::default(), &[], &mut |_| true), None);
    }
}
