//! Removes from a state what no later operation can distinguish.
//!
//! This is sound because each set is read only while it is stored. `took_part`, `pairs`, `dead` and `used` matter for phases
//! that a wait can still depend on; `waited` only for arrives whose agent can still drop; `arrived` only while no wait of
//! its phase is known and one exists or can occur.

use super::Spec;
use super::choice::{Bits, Choice, Known, bit, indices};
use super::state::State;
use super::subsume;
use crate::agent::Joined;
use crate::instance::InstanceId;
use crate::reach::instance_bit;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// For each agent, the slots that it can still wait on, and those of objects that it can still drop.
struct Future {
    waits: Bits,
    drops: Bits,
    acts: bool,
}

impl Spec {
    /// Removes what no later operation can distinguish, and puts the slots and choices into canonical order.
    pub(super) fn collect(&self, state: &mut State) {
        if state.slots.is_empty() && state.choices.len() == 1 {
            return self.forget_joins(state);
        }
        let parts = state.choices.len() * (state.agents.len() + state.slots.len());
        self.context.work.add(parts as u64);
        let futures: Vec<Future> =
            (0..state.agents.len()).map(|agent| self.future(state, agent)).collect();
        let open = state.slots.iter().enumerate().filter(|(_, slot)| !slot.completed);
        let open = open.fold(0, |set, (slot, _)| set | bit(slot));
        let keep =
            state.choices.iter_mut().fold(0, |keep, choice| keep | forget(choice, &futures, open));
        state.keep_slots(keep | open);
        self.forget_joins(state);
        state.choices.sort_unstable();
        state.choices.dedup();
        if subsume::is_worthwhile(&state.choices) {
            self.context.work.add(subsume::subsume(&mut state.choices));
        }
    }

    /// Whether an agent can drop an object after an arrive for which it knows no wait.
    pub(super) fn can_leave_unwaited(&self, state: &State, agent: usize) -> bool {
        let drops = self.future(state, agent).drops;
        let standing = |choice: &Choice| {
            let standing = &choice.agents[agent];
            standing.arrived & drops & !standing.known.waited != 0
        };
        state.choices.iter().any(standing)
    }

    fn future(&self, state: &State, agent: usize) -> Future {
        let at = state.agents[agent];
        if at.ended {
            return Future { waits: 0, drops: 0, acts: false };
        }
        let reach = self.context.reaches.from(agent, at.node);
        let joined =
            if let Joined::Named(instance, _) = at.joined { instance_bit(instance) } else { 0 };
        let can_leave = reach.drops | self.dropped_at_the_end(agent);
        let of = |objects: u128| {
            let within =
                |(_, slot): &(usize, &super::state::Slot)| objects & instance_bit(slot.object) != 0;
            state.slots.iter().enumerate().filter(within).fold(0, |set, (slot, _)| set | bit(slot))
        };
        // A named wait or leave acts on the joined object, so that object is needed while any is ahead.
        let waits = if self.names(reach.waits) { reach.waits | joined } else { reach.waits };
        let drops = if self.names(reach.drops) { can_leave | joined } else { can_leave };
        Future { waits: of(waits), drops: of(drops), acts: true }
    }

    fn names(&self, objects: u128) -> bool {
        let named = |(id, instance): (u16, &crate::instance::Instance)| {
            instance.object.is_named() && objects & instance_bit(id) != 0
        };
        objects != 0 && (0..).zip(&self.context.instances.list).any(named)
    }

    fn dropped_at_the_end(&self, agent: usize) -> u128 {
        let end = |instance: InstanceId, used: bool| if used { instance_bit(instance) } else { 0 };
        let drops = self.usual(ReadingId::AmdA3);
        end(self.context.instances.workgroup_of(agent), drops)
            | end(self.context.instances.cluster_of(agent), drops)
    }

    /// Removes the joins of agents that can no longer wait on a named barrier.
    fn forget_joins(&self, state: &mut State) {
        let waits = |agent: &usize| {
            let at = state.agents[*agent];
            !at.ended
                && matches!(at.joined, Joined::Named(_, true))
                && self.names(self.context.reaches.from(*agent, at.node).waits)
        };
        let asked = (0..state.agents.len()).filter(waits).filter_map(|agent| self.joiner(agent));
        let asked = asked.fold(0, |set, joiner| set | bit(joiner));
        for choice in &mut state.choices {
            choice.agents.iter_mut().for_each(|standing| standing.known.joins &= asked);
            choice.phases.iter_mut().for_each(|known| known.joins &= asked);
        }
        for (agent, at) in state.agents.iter_mut().enumerate() {
            let reach = self.context.reaches.from(agent, at.node);
            let named = matches!(at.joined, Joined::Named(..));
            if at.ended || (named && !self.names(reach.waits) && !self.names(reach.drops)) {
                at.joined = Joined::Nothing;
            }
        }
    }
}

/// Reduces one choice; returns the slots that it still needs besides the current ones.
fn forget(choice: &mut Choice, futures: &[Future], open: Bits) -> Bits {
    let takeable = takeable(choice, futures, open);
    let live = takeable | open;
    for (standing, future) in choice.agents.iter_mut().zip(futures) {
        standing.arrived &= future.drops & !standing.known.waited & (live | choice.has_wait);
        standing.used &= future.waits & live & !standing.known.dead;
    }
    let owed = choice.agents.iter().fold(0, |set, standing| set | standing.arrived);
    for (standing, future) in choice.agents.iter_mut().zip(futures) {
        if future.acts {
            standing.known.forget(live, owed)
        } else {
            standing.known = Known::default()
        }
    }
    for (slot, known) in choice.phases.iter_mut().enumerate() {
        if live & bit(slot) != 0 { known.forget(live, owed) } else { *known = Known::default() }
    }
    choice.has_wait &= owed | live;
    // A phase can outlive its last wait, for a later drop or in another choice; it then admits no more waits.
    let all = if choice.phases.len() == 128 { Bits::MAX } else { bit(choice.phases.len()) - 1 };
    choice.forbidden = (choice.forbidden & live) | (all & !live);
    choice.racy &= live;
    takeable | owed
}

/// Completed phases that some wait of some agent can still depend on.
fn takeable(choice: &Choice, futures: &[Future], open: Bits) -> Bits {
    let mut takeable = 0;
    for (agent, future) in futures.iter().enumerate() {
        let slots = future.waits & !open & !takeable;
        takeable |= indices(slots)
            .filter(|&slot| choice.can_wait(agent, slot))
            .fold(0, |set, slot| set | bit(slot));
    }
    takeable
}

impl Known {
    fn forget(&mut self, live: Bits, owed: Bits) {
        self.took_part &= live;
        self.dead &= live;
        self.waited &= owed;
        let dead = self.dead;
        let alive = |slot: u8| live & bit(usize::from(slot)) != 0;
        self.pairs.retain(|&(g, h)| alive(g) && alive(h) && dead & bit(usize::from(g)) == 0);
    }
}
