//! Groups: the assignments of one execution that the same interleavings explain.
//!
//! The axioms allow a wait to depend on a phase that completes after the wait could have continued. In a running
//! execution, the phase that a completed wait depends on is complete. Assignments are therefore grouped by the number
//! of complete phases when each wait settles. A group contains all valid assignments to phases that are complete by
//! then. It exists if an interleaving of all operations satisfies *program-order* and every
//! *barrier-modification-order*, with each wait after the phases that it may depend on and before the next. A rule is
//! broken if every assignment of a group breaks it.

use super::execution::Execution;
use super::meter::{Bound, Meter};
use super::participates::{Assignment, Candidate};
use super::phase::Part;
use super::phase::Phase;
use super::relation::{Relation, each, one};
use super::skeleton::{End, Then};
use crate::ordered::OrderedSet;
use alloc::vec::Vec;

/// Some assignments of an execution, and an order of its operations.
#[derive(Clone, Debug)]
pub struct Group {
    /// Indices of the assignments.
    pub of: Vec<usize>,
    /// For each completed wait, the number of phases complete when it settled.
    pub settled: Vec<usize>,
    /// The order that every interleaving of the group satisfies; acyclic and transitive.
    pub order: Relation,
}

/// Returns every group of an execution; none if no interleaving matches. `besides` is an additional order, and each of
/// `ends` is one step.
///
/// # Errors
///
/// At a limit of the meter.
pub fn groups(
    candidate: &Candidate<'_>,
    assignments: &[Assignment],
    besides: &[(usize, usize)],
    ends: &[End],
    meter: &mut Meter<'_>,
) -> Result<Vec<Group>, Bound> {
    let execution = candidate.execution;
    let mut order = candidate.program_order.clone().union(&execution.modification_orders());
    besides.iter().for_each(|&(from, to)| order.add(from, to));
    let order = order.closure();
    if !order.is_irreflexive() {
        return Ok(Vec::new());
    }
    let Some(order) = as_one_step(order, ends) else { return Ok(Vec::new()) };
    let mut search = Search {
        candidate,
        assignments,
        ends,
        meter,
        settled: alloc::vec![0; execution.events.len()],
        seen: OrderedSet::new(),
        found: Vec::new(),
    };
    let all = (0..assignments.len()).collect();
    search.settle(0, &order, all)?;
    Ok(search.found)
}

/// Extends an order so that no operation occurs between the drops of one end; `None` if that makes a cycle.
fn as_one_step(mut order: Relation, ends: &[End]) -> Option<Relation> {
    let (mut grows, mut grew) = (true, false);
    while grows {
        grows = false;
        for end in ends {
            let second = match end.then {
                Then::Nothing => continue,
                Then::Owes if order.from(end.first) != 0 => return None,
                Then::Owes => continue,
                Then::Drops(second) => second,
            };
            let following = order.from(end.first) & !one(second);
            for event in each(following & !order.from(second)) {
                order.add_closed(second, event);
                grows = true;
            }
            for event in (0..order.count()).filter(|&event| event != end.first) {
                if order.has(event, second) && !order.has(event, end.first) {
                    order.add_closed(event, end.first);
                    grows = true;
                }
            }
        }
        grew |= grows;
    }
    (!grew || order.is_irreflexive()).then_some(order)
}

struct Search<'a, 'b, 'c> {
    candidate: &'a Candidate<'a>,
    assignments: &'a [Assignment],
    ends: &'a [End],
    meter: &'b mut Meter<'c>,
    settled: Vec<usize>,
    seen: OrderedSet<Vec<usize>>,
    found: Vec<Group>,
}

impl Search<'_, '_, '_> {
    fn settle(&mut self, place: usize, order: &Relation, of: Vec<usize>) -> Result<(), Bound> {
        self.meter.step(of.len() + order.count())?;
        let Some(&wait) = self.candidate.waits.get(place) else {
            if self.seen.insert(of.clone()) {
                self.meter.keep(16 * of.len() + 24 * order.count())?;
                let (settled, order) = (self.settled.clone(), order.clone());
                self.found.push(Group { of, settled, order });
            }
            return Ok(());
        };
        let instance = self.candidate.execution.events[wait].instance;
        let phases = self.candidate.phases.iter().filter(|phase| phase.instance == instance);
        let phases: Vec<&Phase> = phases.collect();
        for settled in 1..=phases.len() {
            let within = |&index: &usize| self.assignments[index][place].phase < settled;
            let of: Vec<usize> = of.iter().copied().filter(within).collect();
            if of.is_empty() {
                continue;
            }
            self.meter.work(4 * order.count() + of.len())?;
            let orders = self.ordered(order, wait, &phases, settled).into_iter();
            for longer in orders.filter_map(|order| as_one_step(order, self.ends)) {
                self.settled[wait] = settled;
                self.settle(place + 1, &longer, of.clone())?;
            }
        }
        Ok(())
    }

    /// The orders in which a wait is also after this many phases and before the completion of the next. If different operations
    /// can complete that phase, the wait is before one of them.
    fn ordered(
        &self,
        order: &Relation,
        wait: usize,
        phases: &[&Phase],
        settled: usize,
    ) -> Vec<Relation> {
        let execution = self.candidate.execution;
        let done = execution.completing(phases[settled - 1]);
        if order.from(wait) & done != 0 {
            return Vec::new();
        }
        let mut order = order.clone();
        each(done).for_each(|event| order.add_closed(event, wait));
        let next = phases.get(settled).map_or(0, |next| execution.completing(next));
        if next == 0 || order.from(wait) & next != 0 {
            return alloc::vec![order];
        }
        let before = |event: usize| {
            let mut order = order.clone();
            order.add_closed(wait, event);
            order
        };
        each(next).filter(|&event| !order.has(event, wait)).map(before).collect()
    }
}

/// Whether a wait that does not complete could complete after all, under one of some assignments.
#[must_use]
pub fn can_complete(candidate: &Candidate<'_>, wait: usize, assignments: &[&Assignment]) -> bool {
    let execution = candidate.execution;
    let instance = execution.events[wait].instance;
    let agent = execution.events[wait].agent;
    let own = |part: &&Part| execution.events[part.wait].agent == agent;
    let mut phases = candidate.phases.iter().filter(|phase| phase.instance == instance);
    phases.any(|phase| {
        let set = phase.all();
        assignments.iter().any(|assignment| {
            let distinct = assignment.iter().filter(own).all(|part| part.set & set == 0);
            let mut longer = (*assignment).clone();
            longer.push(Part { wait, set, phase: phase.number });
            distinct && candidate.is_valid(&longer)
        })
    })
}

/// Returns one interleaving: an order of the operations that extends the given one.
#[must_use]
pub fn linear(execution: &Execution, order: &Relation) -> Vec<usize> {
    let count = execution.events.len();
    let before = order.inverse();
    let mut done: u128 = 0;
    let mut line = Vec::with_capacity(count);
    while line.len() < count {
        let ready = |&event: &usize| {
            done & one(event) == 0 && each(before.from(event) & !done).next().is_none()
        };
        let Some(next) = (0..count).find(ready) else { break };
        done |= one(next);
        line.push(next);
    }
    line
}
