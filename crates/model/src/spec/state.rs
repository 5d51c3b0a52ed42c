//! States of the exploration: the agents, the counts of the objects, and the consistent choices.

use super::choice::{Bits, Choice, bit, indices};
use crate::agent::AgentState;
use crate::barrier::Barrier;
use crate::instance::InstanceId;
use crate::mem::outstanding::Outstanding;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Largest number of slots of a state.
pub const MAX_SLOTS: usize = 128;
/// Largest number of choices of a state.
pub const MAX_CHOICES: usize = 512;

/// The state of a barrier object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectState {
    /// Its counts.
    pub barrier: Barrier,
    /// Phases completed so far.
    pub completed: u32,
    /// The slot of the current phase, once an operation belongs to it.
    pub open: Option<u8>,
    /// Workgroups that arrived in the open phase (kept for cluster barriers), sorted.
    pub arrivals: Vec<u32>,
}

/// A phase that later operations can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Its object.
    pub object: InstanceId,
    /// Its number, from 0: how many phases of the object completed before it.
    pub serial: u32,
    /// Whether it is completed.
    pub completed: bool,
}

/// Why a path ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// A rule is broken in every choice, and behaviour is undefined from here on.
    Undefined,
    /// The state needs more than it can hold.
    Overflow(Lack),
}

/// The capacity of a state that is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lack {
    /// Phases that a wait can still depend on: 128.
    Phases,
    /// Choices of phases: 512.
    Choices,
    /// Groups of accesses that others can still race with: 128.
    Accesses,
}

impl Lack {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Phases, Self::Choices, Self::Accesses];
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By agent.
    pub agents: Vec<AgentState>,
    /// By instance.
    pub objects: Vec<ObjectState>,
    /// Slots; their index is the bit in the sets of a choice.
    pub slots: Vec<Slot>,
    /// The consistent choices, at least one.
    pub choices: Vec<Choice>,
    /// Outstanding accesses, if memory is tracked.
    pub memory: Option<Box<Outstanding>>,
    /// Set when the path has stopped.
    pub stop: Option<Stop>,
}

impl State {
    /// The slots of an object.
    #[must_use]
    pub fn slots_of(&self, object: InstanceId) -> Bits {
        self.slots_with(|_, slot| slot.object == object)
    }

    /// The completed slots of an object.
    #[must_use]
    pub fn completed_of(&self, object: InstanceId) -> Bits {
        self.slots_with(|_, slot| slot.completed && slot.object == object)
    }

    /// The slots for which a condition holds.
    pub(super) fn slots_with(&self, holds: impl Fn(usize, &Slot) -> bool) -> Bits {
        let set = |(index, slot): (usize, &Slot)| if holds(index, slot) { bit(index) } else { 0 };
        self.slots.iter().enumerate().map(set).fold(0, |set, slot| set | slot)
    }

    /// The slot of the current phase of an object, created if necessary; `None` if no slot is left.
    pub fn open_slot(&mut self, object: InstanceId) -> Option<usize> {
        let state = &mut self.objects[usize::from(object)];
        if let Some(slot) = state.open {
            return Some(usize::from(slot));
        }
        let slot = self.slots.len();
        if slot == MAX_SLOTS {
            return None;
        }
        state.open = Some(slot as u8);
        self.slots.push(Slot { object, serial: state.completed, completed: false });
        for choice in &mut self.choices {
            choice.phases.push(Default::default());
        }
        Some(slot)
    }

    /// Keeps only the given slots and puts them in canonical order.
    pub fn keep_slots(&mut self, keep: Bits) {
        let mut order: Vec<usize> = indices(keep).collect();
        order.sort_unstable_by_key(|&slot| self.slots[slot]);
        if order.len() == self.slots.len()
            && order.iter().enumerate().all(|(index, &slot)| index == slot)
        {
            return;
        }
        let mut renumbered = [None; MAX_SLOTS];
        for (index, &slot) in order.iter().enumerate() {
            renumbered[slot] = Some(index as u8);
        }
        self.slots = order.iter().map(|&slot| self.slots[slot]).collect();
        for object in &mut self.objects {
            object.open = object.open.and_then(|slot| renumbered[usize::from(slot)]);
        }
        for choice in &mut self.choices {
            choice.renumber(&order, &renumbered);
        }
    }

    /// Reorders the agents: `order[new]` is the old index; `joiners[new]` the old index among the agents that join.
    pub fn permute(&mut self, order: &[usize], joiners: &[usize]) {
        self.permute_memory(order);
        self.agents = order.iter().map(|&agent| self.agents[agent]).collect();
        for choice in &mut self.choices {
            choice.permute(order, joiners);
        }
    }
}

fn renumber(set: Bits, renumbered: &[Option<u8>]) -> Bits {
    indices(set)
        .filter_map(|slot| renumbered[slot])
        .fold(0, |new, slot| new | bit(usize::from(slot)))
}

impl Choice {
    fn renumber(&mut self, order: &[usize], renumbered: &[Option<u8>]) {
        for set in [&mut self.has_wait, &mut self.forbidden, &mut self.racy] {
            *set = renumber(*set, renumbered);
        }
        let phases = &mut self.phases;
        self.phases = order.iter().map(|&slot| core::mem::take(&mut phases[slot])).collect();
        for standing in &mut self.agents {
            standing.used = renumber(standing.used, renumbered);
            standing.arrived = renumber(standing.arrived, renumbered);
            standing.known.renumber(renumbered);
        }
        self.phases.iter_mut().for_each(|known| known.renumber(renumbered));
    }

    fn permute(&mut self, order: &[usize], joiners: &[usize]) {
        let agents = &mut self.agents;
        self.agents = order.iter().map(|&agent| core::mem::take(&mut agents[agent])).collect();
        let rename = |set: Bits| {
            let has = |&(_, &old): &(usize, &usize)| set & bit(old) != 0;
            joiners.iter().enumerate().filter(has).fold(0, |new, (index, _)| new | bit(index))
        };
        self.agents
            .iter_mut()
            .for_each(|standing| standing.known.joins = rename(standing.known.joins));
        self.phases.iter_mut().for_each(|known| known.joins = rename(known.joins));
    }
}

impl super::choice::Known {
    fn renumber(&mut self, renumbered: &[Option<u8>]) {
        for set in [&mut self.took_part, &mut self.dead, &mut self.waited] {
            *set = renumber(*set, renumbered);
        }
        let new = |slot: u8| renumbered[usize::from(slot)];
        self.pairs = self.pairs.iter().filter_map(|&(g, h)| Some((new(g)?, new(h)?))).collect();
        self.pairs.sort_unstable();
    }
}
