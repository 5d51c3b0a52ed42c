//! One execution: the barrier operations that each agent performed, and for each object its *barrier-modification-order*.

use super::event::{Event, Kind};
use super::phase::{Phase, phases};
use super::relation::{Events, MAX_EVENTS, Relation, each, one};
use super::text::Text;
use crate::instance::InstanceId;
use alloc::vec::Vec;

/// The performed operations. The operations of one agent are in *program-order*; the order of operations of different
/// agents means nothing. Each object has a separate order: the union of all orders and *program-order* may have a
/// cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// The operations, at most [`MAX_EVENTS`].
    pub events: Vec<Event>,
    /// For each object, its *barrier-modification-order* over its *init*, *arrive* and *drop* operations.
    pub orders: Vec<Vec<usize>>,
    /// For each wait, the largest number of phases of its object that could be complete when it settled; empty if every
    /// wait can depend on every phase.
    pub settled: Vec<usize>,
    /// Waits that are performed but never complete.
    pub pending: Events,
    /// For each operation, its rank in the order of its object. Operations of different agents with equal rank are
    /// unordered. Empty if the orders are total.
    pub ranks: Vec<u32>,
}

impl Execution {
    /// An empty execution of a program.
    #[must_use]
    pub fn new(text: &Text) -> Self {
        let orders = alloc::vec![Vec::new(); usize::from(text.objects())];
        Self { orders, ..Self::default() }
    }

    /// Adds an operation after all operations of its agent and all modifications of its object; `false` if there is no room.
    pub fn push(&mut self, event: Event) -> bool {
        let index = self.events.len();
        if index >= MAX_EVENTS {
            return false;
        }
        self.events.push(event);
        if event.kind.modifies()
            && let Some(order) = self.orders.get_mut(usize::from(event.instance))
        {
            order.push(index);
        }
        true
    }

    /// The waits that completed, in the order of the operations.
    pub fn waits(&self) -> impl Iterator<Item = usize> {
        let events = self.events.iter().enumerate();
        let completed =
            |&(index, event): &(usize, &Event)| event.kind == Kind::Wait && !self.is_pending(index);
        events.filter(completed).map(|(index, _)| index)
    }

    /// Whether a wait never completes.
    #[must_use]
    pub const fn is_pending(&self, event: usize) -> bool {
        self.pending & one(event) != 0
    }

    /// *Program-order* on the barrier operations.
    #[must_use]
    pub fn program_order(&self) -> Relation {
        let same = |a: usize, b: usize| self.events[a].agent == self.events[b].agent;
        Relation::of(self.events.len(), |a, b| a < b && same(a, b))
    }

    /// *Thread-barrier-order* of every object: *program-order* between operations on one object.
    #[must_use]
    pub fn thread_barrier_order(&self) -> Relation {
        let related = |a: usize, b: usize| {
            let (first, second) = (&self.events[a], &self.events[b]);
            a < b && first.agent == second.agent && first.shares_object(second)
        };
        Relation::of(self.events.len(), related)
    }

    /// Sets the ranks of the modifications of an object, in their order.
    pub fn set_ranks(&mut self, instance: InstanceId, ranks: &[u32]) {
        self.ranks.resize(self.events.len(), 0);
        let order = &self.orders[usize::from(instance)];
        order.iter().zip(ranks).for_each(|(&event, &rank)| self.ranks[event] = rank);
    }

    /// Whether an object observes modification `a` before `b`; `a` must precede `b` in its order.
    #[must_use]
    pub fn is_observed_before(&self, a: usize, b: usize) -> bool {
        self.ranks.is_empty()
            || self.ranks[a] < self.ranks[b]
            || self.events[a].agent == self.events[b].agent
    }

    /// The *barrier-modification-orders* of all objects.
    #[must_use]
    pub fn modification_orders(&self) -> Relation {
        let mut relation = Relation::empty(self.events.len());
        for order in &self.orders {
            let mut before = Vec::new();
            for &event in order {
                let observed =
                    before.iter().filter(|&&earlier| self.is_observed_before(earlier, event));
                observed.for_each(|&earlier| relation.add(earlier, event));
                before.push(event);
            }
        }
        relation
    }

    /// The completed phases of every object, found by counting through its modifications.
    #[must_use]
    pub fn phases(&self, text: &Text) -> Vec<Phase> {
        let of = |instance: InstanceId| self.phases_of(text, instance);
        (0..text.objects()).flat_map(of).collect()
    }

    /// The completed phases of an object.
    #[must_use]
    pub fn phases_of(&self, text: &Text, instance: InstanceId) -> Vec<Phase> {
        phases((&self.events, &self.orders[usize::from(instance)]), text, instance)
    }

    /// The operations that can complete a phase: one, or all those of equal rank, any of which can be last.
    #[must_use]
    pub fn completing(&self, phase: &Phase) -> Events {
        let beside =
            |&event: &usize| !self.ranks.is_empty() && self.ranks[event] == self.ranks[phase.last];
        let place: Events = each(phase.all()).filter(beside).fold(0, |set, event| set | one(event));
        let place = place | one(phase.last);
        let is_last = |&event: &usize| {
            each(place)
                .all(|other| other <= event || self.events[other].agent != self.events[event].agent)
        };
        each(place).filter(is_last).fold(0, |set, event| set | one(event))
    }

    /// *Barrier-joined-before*: the join that is before the operation with that index, if there is one.
    #[must_use]
    pub fn joined_before(&self, event: usize) -> Option<usize> {
        let Event { agent, instance, kind, .. } = self.events[event];
        let mine = |&index: &usize| self.events[index].agent == agent;
        if kind == Kind::Join {
            return None;
        }
        for before in (0..event).rev().filter(mine) {
            let other = self.events[before];
            match other.kind {
                Kind::Join => return other.is_on(instance).then_some(before),
                Kind::Drop if other.is_on(instance) => return None,
                _ => {}
            }
        }
        None
    }

    /// The agent's operations on the same object after one of them.
    #[must_use]
    pub fn later_on_object(&self, event: usize) -> Events {
        let own = self.events[event];
        let later = |&index: &usize| {
            let other = &self.events[index];
            other.agent == own.agent && other.shares_object(&own)
        };
        (event + 1..self.events.len()).filter(later).fold(0, |set, index| set | one(index))
    }

    /// The operations of a set that act on an object.
    pub fn on_object(&self, set: Events, instance: InstanceId) -> impl Iterator<Item = usize> {
        each(set).filter(move |&event| self.events[event].is_on(instance))
    }
}
