//! An execution with all options for its waits, and the rules that they break.

use super::event::Kind;
use super::group::{self, Group};
use super::meter::{Bound, Meter};
use super::participates::{Assignment, Candidate};
use super::path::{Rest, Stop};
use super::relation::one;
use super::rules;
use super::sample::Sample;
use super::skeleton::{Ordered, Skeleton};
use super::text::Text;
use crate::instance::NO_INSTANCE;
use crate::program::NodeId;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use crate::symmetry;
use alloc::vec::Vec;

/// An execution with its assignments and the rules that they break.
pub(super) struct Seen<'a> {
    pub skeleton: &'a Skeleton<'a>,
    pub ordered: &'a Ordered,
    pub candidate: &'a Candidate<'a>,
    pub masks: &'a [u64],
    pub besides: &'a [(usize, usize)],
}

impl Seen<'_> {
    /// The rules that every assignment of a group breaks, and those that some assignment breaks.
    pub(super) fn broken(&self, of: &[usize]) -> (u64, u64) {
        let masks = of.iter().map(|&index| self.masks[index]);
        masks.fold((u64::MAX, 0), |(every, some), mask| (every & mask, some | mask))
    }

    /// Whether every assignment of a group has undefined behaviour.
    pub(super) fn is_undefined(&self, of: &[usize]) -> bool {
        of.iter().all(|&index| self.masks[index] & rules::undefined() != 0)
    }

    /// The same without the rules that the last step breaks by itself.
    pub(super) fn is_undefined_before(&self, of: &[usize]) -> bool {
        let own = rules::undefined() & !self.ordered.broken;
        of.iter().all(|&index| self.masks[index] & own != 0)
    }

    /// Its final state, with identical agents in canonical order.
    pub(super) fn outcome(&self, classes: &[u32]) -> Vec<(NodeId, bool)> {
        let ended = |stop: &&Stop| (stop.node, matches!(stop.rest, Rest::Ended { .. }));
        let ends: Vec<(NodeId, bool)> = self.skeleton.stops.iter().map(ended).collect();
        let sorted = symmetry::order(classes, &ends);
        sorted.into_iter().map(|agent| ends[agent]).collect()
    }

    /// The rules, by number, that its stuck waits break: the rule on stuck waits, and *Join and Wait Ordering* if a
    /// named wait has no join *barrier-joined-before* it, because no later operation can supply one.
    pub(super) fn stuck(&self, text: &Text) -> u64 {
        let stuck = |stop: &&Stop| matches!(stop.rest, Rest::Stuck(_) | Rest::Blocked);
        if !self.skeleton.stops.iter().any(stuck) {
            return 0;
        }
        let execution = self.candidate.execution;
        let without_join = |event: usize| {
            let instance = execution.events[event].instance;
            execution.is_pending(event)
                && instance != NO_INSTANCE
                && text.context.object(instance).is_named()
                && execution.joined_before(event).is_none()
        };
        let bare = (0..execution.events.len()).any(without_join);
        RuleId::AmdWaitNeverCompletes.bit() | if bare { RuleId::AmdJoinBeforeWait.bit() } else { 0 }
    }

    /// Whether an assignment agrees with the order of wave ends: a wave that drops the cluster barrier for its
    /// workgroup is after the operations of the other waves.
    pub(super) fn ends_agree(&self, index: usize) -> bool {
        if self.besides.is_empty() {
            return true;
        }
        let mut before = self.candidate.executes_before(&self.ordered.assignments[index]);
        self.besides.iter().for_each(|&(from, to)| before.add(from, to));
        let before = before.closure();
        let observed = self.candidate.execution.modification_orders();
        let in_order = observed.edges().all(|(a, b)| !before.has(b, a));
        in_order && before.is_irreflexive()
    }

    /// Whether a wait that did not complete could complete.
    pub(super) fn goes_on(&self, of: &[usize], meter: &mut Meter<'_>) -> Result<bool, Bound> {
        let execution = self.candidate.execution;
        let assignments: Vec<&Assignment> =
            of.iter().map(|&index| &self.ordered.assignments[index]).collect();
        for wait in (0..execution.events.len()).filter(|&event| execution.is_pending(event)) {
            let candidates = self.candidate.phases.len() * assignments.len();
            meter.work(candidates.saturating_mul(self.candidate.cost()))?;
            if group::can_complete(self.candidate, wait, &assignments) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a wait that did not complete, or a join, finds its object uninitialised and that is undefined (reading
    /// `amd.A17`): the execution is then not at its end.
    pub(super) fn uninitialised(&self, text: &Text) -> bool {
        let execution = self.candidate.execution;
        let bare = |instance: u16| {
            instance != NO_INSTANCE
                && !text.launched(instance).initialised
                && execution.orders[usize::from(instance)].is_empty()
        };
        !text.usual(ReadingId::AmdA17)
            && execution
                .events
                .iter()
                .any(|event| matches!(event.kind, Kind::Wait | Kind::Join) && bare(event.instance))
    }

    /// Whether some assignment is defined after removing one of the last operations.
    pub(super) fn is_defined_without(
        &self,
        text: &Text,
        group: &Group,
        event: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Bound> {
        let execution = self.candidate.execution;
        let mut shorter = execution.clone();
        let gone = |index: &usize| *index != event;
        shorter.orders.iter_mut().for_each(|order| order.retain(gone));
        if shorter.events[event].kind == Kind::Wait {
            shorter.pending |= one(event);
        }
        shorter.settled.clone_from(&group.settled);
        let candidate = Candidate::new(&shorter, text, false);
        let mut defined = false;
        candidate.for_each(meter, &mut |assignment, before| {
            let judged = candidate.judged(assignment, before);
            defined |= rules::findings(&judged, text) & rules::undefined() == 0;
            !defined
        })?;
        Ok(defined)
    }

    pub(super) fn sample(
        &self,
        of: &[usize],
        settled: &[usize],
        line: Vec<usize>,
        rule: RuleId,
    ) -> Sample {
        let breaks = |index: &&usize| self.masks[**index] & rule.bit() != 0;
        let chosen = of.iter().find(breaks).or(of.first());
        let mut execution = self.ordered.execution.clone();
        execution.settled = settled.to_vec();
        let assignment = chosen.map(|&index| self.ordered.assignments[index].clone());
        let ways = self.skeleton.stops.iter().map(|stop| stop.ways.clone()).collect();
        Sample { execution, assignment: assignment.unwrap_or_default(), line, ways }
    }
}
