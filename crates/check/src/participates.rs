//! Counts the *barrier-participates-in* relations of each execution.
//!
//! The specification's footnote promises exactly one. Here each whole execution is defined by its
//! *barrier-modification-orders*. Every relation that satisfies the rules which constrain executions is counted, with
//! and without the leading drops of a phase. Executions whose orders match no interleaving are counted separately.

use crate::axioms;
use crate::judge::{self, KeepGoing};
use crate::report::{Ambiguity, ParticipatesIn, Report};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use tidegate_model::axioms::engine::{Judgement, Plan, WORK};
use tidegate_model::context::Context;
use tidegate_model::instance::NO_INSTANCE;
use tidegate_model::program::Node;
use tidegate_model::spec::Spec;
use tidegate_model::verdict::Verdict;

/// Limit of operations on one object for the count without a request.
const MOST_OPERATIONS: usize = 12;
/// Limits of steps of the enumeration without and with a request.
const MOST_STEPS: [u64; 2] = [200_000, 20_000_000];

/// The unchecked part if the executions are too many to be enumerated.
pub(crate) const NOT_ENUMERATED: &str = "executions without an interleaving (amd.barrier-modification-order) and the number of barrier-participates-in relations: too many executions, or infinite ones";

/// Whether relations are counted: on request, or for few operations.
pub(crate) fn is_counted(spec: &Spec, asked: bool) -> bool {
    asked || operations_on_one_object(&spec.context) <= MOST_OPERATIONS
}

/// Enumerates the complete executions of a program; `None` if it is too large or the caller cancels. `without` has a
/// bit for each dropped rule.
pub(crate) fn enumerate(
    spec: &Spec,
    asked: bool,
    without: u64,
    keep_going: KeepGoing<'_>,
) -> Option<Judgement> {
    if !is_counted(spec, asked) {
        return None;
    }
    let steps = MOST_STEPS[usize::from(asked)];
    let work = WORK / if asked { 1 } else { 8 };
    let plan = Plan { steps, work, every_order: true, count: true, whole: true };
    let found = axioms::enumerate_without(spec, without, plan, keep_going);
    found.is_complete().then_some(found)
}

/// Puts what was counted into a report. Where no execution runs to its end there is nothing to count.
pub(crate) fn report(report: &mut Report, verdict: Verdict, found: &Judgement) {
    report.outside_interleavings = Some(found.outside);
    report.participates_in = (found.counted.executions > 0).then_some(ParticipatesIn {
        executions: found.counted.executions,
        unique: found.counted.unique == found.counted.executions,
        most: found.counted.most,
    });
    let rules = found.broken_outside.keys().copied().flatten();
    let outside = judge::verdict(rules, true).min(verdict);
    if outside != verdict {
        report.ambiguities.push(outside_counts(verdict, outside));
    }
}

/// The ambiguity of a scenario that breaks a rule only in executions that match no interleaving.
fn outside_counts(interleavings: Verdict, all: Verdict) -> Ambiguity {
    let verdicts = [("one-order-for-all", interleavings), ("each-object-alone", all)];
    let verdicts = verdicts.map(|(name, verdict)| (name.to_owned(), verdict.word().to_owned()));
    Ambiguity {
        id: "amd.barrier-modification-order".to_owned(),
        verdicts: BTreeMap::from(verdicts),
    }
}

/// The most operations that the bodies have on one object, ends of waves aside.
fn operations_on_one_object(context: &Context) -> usize {
    let mut counts = alloc::vec![0; context.instances.list.len()];
    for (agent, node, _) in context.operations() {
        let instance = context.instances.at(agent, node);
        if instance != NO_INSTANCE {
            counts[usize::from(instance)] += 1;
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

/// Whether the program's nodes can repeat without end, so that executions have no bound.
pub(crate) fn is_endless(spec: &Spec) -> bool {
    spec.context.reaches.any_cycle()
        || spec.context.program.bodies.iter().any(|body| body.nodes.contains(&Node::Divergent))
}
