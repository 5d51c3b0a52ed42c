//! All rules on participation in waits, in the order of the document, each as a predicate.
//!
//! [`CONSTRAINTS`] define executions: a candidate that breaks one is not an execution. [`FINDINGS`] are requirements on
//! programs: an execution that breaks one makes the program incorrect. Rules on single modifications (counts, uninitialised
//! objects) are transitions of [`crate::barrier::Barrier`]; rules on single operations are in [`super::thread`].

use super::clause::Clause;
use super::event::Kind;
use super::execution::Execution;
use super::phase::Part;
use super::relation::{Events, Relation, each, one};
use super::text::Text;
use crate::rule::RuleId;
use crate::verdict::Class;
use alloc::vec::Vec;

/// An execution with an assignment and the resulting *barrier-executes-before*.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The execution.
    pub execution: &'a Execution,
    /// The operations that participate in each wait.
    pub assignment: &'a [Part],
    /// *Barrier-executes-before*.
    pub before: &'a Relation,
    /// Disabled rules, by number.
    pub without: u64,
}

/// Two operations that show that a rule is broken.
pub type ShownBy = (usize, usize);

/// A rule that constrains executions.
pub type Constraint = (Clause, fn(&Judged<'_>) -> Option<ShownBy>);

/// A rule whose violation is a finding.
pub type Finding = (RuleId, fn(&Judged<'_>, &Text) -> Option<ShownBy>);

/// The constraints on executions, in the order of the document. [`super::phase`] ensures that participating operations are a
/// contiguous interval from arrive count zero to completion, so this is not checked here.
pub const CONSTRAINTS: [Constraint; 3] = [
    (Clause::ModificationOrderKeepsThreadOrder, against_thread_order),
    (Clause::ExecutesBeforeConsistent, against_modification_order),
    (Clause::PhaseSeparation, not_separated),
];

/// The requirements that an execution may break, in the order of the document.
pub const FINDINGS: [Finding; 2] =
    [(RuleId::AmdDropRace, drop_race), (RuleId::AmdJoinBeforeWait, late_join)];

/// The rules on participation that a judgement can disable individually. The other rules define operations or relations and
/// cannot be disabled.
pub const CAN_BE_LEFT_OUT: [RuleId; 3] =
    [RuleId::AmdPhaseSeparation, RuleId::AmdDropRace, RuleId::AmdJoinBeforeWait];

/// The rules whose violation is undefined behaviour, by number.
#[must_use]
pub fn undefined() -> u64 {
    let undefined = RuleId::of_amdgpu().filter(|rule| rule.get().class == Some(Class::Ub));
    undefined.fold(0, |set, rule| set | rule.bit())
}

/// The first rule that constrains executions and is broken.
#[must_use]
pub fn first_broken(judged: &Judged<'_>) -> Option<(Clause, ShownBy)> {
    let stays = |clause: Clause| clause.rule().is_none_or(|rule| judged.without & rule.bit() == 0);
    let all = CONSTRAINTS.iter().filter(|(clause, _)| stays(*clause));
    all.filter_map(|(clause, broken)| Some((*clause, broken(judged)?))).next()
}

/// The findings, by number of their rule.
#[must_use]
pub fn findings(judged: &Judged<'_>, text: &Text) -> u64 {
    let broken = FINDINGS.iter().filter(|(_, broken)| broken(judged, text).is_some());
    broken.fold(0, |set, (rule, _)| set | rule.bit()) & !judged.without
}

/// *Barrier-modification-order*, first bullet: it keeps *thread-barrier-order*.
fn against_thread_order(judged: &Judged<'_>) -> Option<ShownBy> {
    judged.modifications(|a, b| judged.execution.same_agent(a, b) && b < a)
}

/// *Barrier-executes-before* is consistent with every *barrier-modification-order*: it neither contradicts an order nor
/// has a cycle.
fn against_modification_order(judged: &Judged<'_>) -> Option<ShownBy> {
    judged.circle().or_else(|| judged.modifications(|a, b| judged.before.has(b, a)))
}

/// *Barrier phase separation*: no operation of another phase with a wait is between a wait and its participants.
fn not_separated(judged: &Judged<'_>) -> Option<ShownBy> {
    let classes = judged.phase_with();
    let between = |part: &Part, a: usize| {
        let instance = judged.execution.events[part.wait].instance;
        let mut on = judged.execution.on_object(judged.before.from(a), instance);
        on.find(|&x| {
            classes[x] != 0 && classes[x] & one(part.wait) == 0 && judged.before.has(x, part.wait)
        })
    };
    judged
        .assignment
        .iter()
        .find_map(|part| each(part.set).find_map(|a| between(part, a)).map(|x| (x, part.wait)))
}

/// *Barrier drop races*: an arrive before a drop of its agent participates in waits, but in none before the drop.
fn drop_race(judged: &Judged<'_>, _: &Text) -> Option<ShownBy> {
    let events = &judged.execution.events;
    let races = |a: usize, d: usize| {
        let waits = judged.waits_of(a);
        waits != 0 && !each(waits).any(|wait| judged.before.has(wait, d))
    };
    let pairs = (0..events.len())
        .filter(|&d| events[d].kind == Kind::Drop)
        .flat_map(|d| (0..d).map(move |a| (a, d)));
    pairs
        .filter(|&(a, d)| {
            matches!(events[a].kind, Kind::Arrive(_)) && events[a].agent == events[d].agent
        })
        .find(|&(a, d)| events[a].shares_object(&events[d]) && races(a, d))
}

/// *Join and Wait Ordering*: a named wait without a join that is joined-before it and before a participant.
fn late_join(judged: &Judged<'_>, text: &Text) -> Option<ShownBy> {
    let in_time = |part: &Part| {
        judged
            .execution
            .joined_before(part.wait)
            .is_some_and(|join| judged.before.from(join) & part.set != 0)
    };
    let named =
        |part: &&Part| text.context.object(judged.execution.events[part.wait].instance).is_named();
    let late = judged.assignment.iter().filter(named).find(|part| !in_time(part))?;
    Some((judged.execution.joined_before(late.wait).unwrap_or(late.wait), late.wait))
}

impl Execution {
    fn same_agent(&self, a: usize, b: usize) -> bool {
        self.events[a].agent == self.events[b].agent
    }
}

impl Judged<'_> {
    /// Two modifications of one object, the first observed before the second, that pass a test.
    fn modifications(&self, test: impl Fn(usize, usize) -> bool) -> Option<ShownBy> {
        self.execution.orders.iter().find_map(|order| {
            let pairs = (0..order.len()).flat_map(|b| (0..b).map(move |a| (order[a], order[b])));
            pairs.into_iter().find(|&(a, b)| self.execution.is_observed_before(a, b) && test(a, b))
        })
    }

    /// A wait with a participant after it.
    fn circle(&self) -> Option<ShownBy> {
        self.assignment.iter().find_map(|part| {
            each(self.before.from(part.wait) & part.set).next().map(|event| (event, part.wait))
        })
    }

    /// The waits that an operation participates in.
    #[must_use]
    pub fn waits_of(&self, event: usize) -> Events {
        let waits = self.assignment.iter().filter(|part| part.set & one(event) != 0);
        waits.fold(0, |set, part| set | one(part.wait))
    }

    /// *Barrier-phase-with*: for each operation the set that it is in a phase with, itself included; empty for none.
    #[must_use]
    pub fn phase_with(&self) -> Vec<Events> {
        let mut classes = alloc::vec![0; self.execution.events.len()];
        let mut groups: Vec<Events> = Vec::new();
        for part in self.assignment {
            let mut group = part.set | one(part.wait);
            groups.retain(|other| {
                let meets = other & group != 0;
                group |= if meets { *other } else { 0 };
                !meets
            });
            groups.push(group);
        }
        for group in groups {
            each(group).for_each(|event| classes[event] = group);
        }
        classes
    }
}
