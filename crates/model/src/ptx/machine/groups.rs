//! Completion of copies, which the phase of an mbarrier object tracks, or groups of the thread that started them.
//!
//! PTX ISA 9.1, "cp.async.commit_group", "cp.async.wait_group", "cp.async.bulk.wait_group", "cp.async.mbarrier.arrive".

use super::Machine;
use super::memory::{Event, Groups, Kind, Memory, Scheduled, event};
use super::state::State;
use crate::ptx::action::Queue;
use alloc::vec::Vec;

impl Machine {
    /// Adds a copy to the groups of its thread, if no object tracks it.
    pub(super) fn join_group(state: &mut State, agent: usize, bulk: bool, events: [Event; 2]) {
        let Some(memory) = &mut state.memory else { return };
        memory.groups[agent][usize::from(bulk)].open.extend(events);
    }

    /// Makes a group of the copies since the last group.
    pub(super) fn commit(state: &mut State, agent: usize, queue: Queue) {
        let Some(memory) = &mut state.memory else { return };
        memory.groups[agent][queue as usize].commit();
    }

    /// Waits for groups: at most `most` of the most recent ones may be incomplete.
    pub(super) fn wait_group(
        state: &mut State,
        agent: usize,
        (queue, most, read): (Queue, Option<u32>, bool),
    ) {
        let Some(memory) = &mut state.memory else { return };
        let groups = &mut memory.groups[agent][queue as usize];
        if most.is_none() {
            groups.commit();
        }
        let waited = groups.groups.len().saturating_sub(most.unwrap_or(0) as usize);
        let done: Vec<Event> = if read {
            let events = groups.groups.iter().take(waited).flatten().copied();
            events.filter(|event| event & 3 == Kind::Read as u64).collect()
        } else {
            groups.groups.drain(..waited).flatten().collect()
        };
        done.into_iter().for_each(|event| memory.clocks[agent].learn(event));
    }

    /// Schedules an arrive at an object for when the operations of a queue of the thread are complete.
    pub(super) fn ride(state: &mut State, agent: usize, node: u32, object: u32, queue: Queue) {
        let Some(memory) = &mut state.memory else { return };
        let Groups { open, groups, before } = &memory.groups[agent][queue as usize];
        let mut completes = before.clone();
        groups.iter().flatten().chain(open).for_each(|&event| completes.learn(event));
        memory.scheduled.push(Scheduled { agent: agent as u32, node, object, completes });
    }

    /// Performs that arrive. An agent that observes the phase knows that the operations are complete, and everything before
    /// the tensor core operations.
    pub(super) fn arrives_with_copies(state: &mut State, object: usize, agent: u32, node: u32) {
        let Some(memory) = &mut state.memory else { return };
        let wanted = (agent, node, object as u32);
        let mut scheduled = memory.scheduled.iter();
        let at = scheduled
            .position(|scheduled| (scheduled.agent, scheduled.node, scheduled.object) == wanted);
        if let Some(at) = at {
            let completes = memory.scheduled.remove(at).completes;
            memory.objects[object].near[0].join(&completes);
        }
    }

    /// Completes bytes of a copy. With the last byte, the copy has read its source and written its destination.
    pub(super) fn copy_completes(
        state: &mut State,
        object: usize,
        done: Option<[Event; 2]>,
        completed: bool,
    ) {
        let Some(memory) = &mut state.memory else { return };
        for event in done.into_iter().flatten() {
            memory.objects[object].near[0].learn(event);
        }
        if completed {
            memory.objects[object].turn();
        }
    }

    /// Records an init, which its agent knows.
    pub(super) fn initialised(state: &mut State, agent: usize, object: usize) {
        let Some(memory) = &mut state.memory else { return };
        memory.gone(object);
        let init = event(Kind::Init, agent as u32, object as u64);
        memory.inits[object] = Some(init);
        memory.clocks[agent].learn(init);
    }

    /// Records that an object is invalidated.
    pub(super) fn invalidated(state: &mut State, object: usize) {
        if let Some(memory) = &mut state.memory {
            memory.gone(object);
        }
    }

    /// Whether an agent knows that an object was initialised.
    #[must_use]
    pub fn knows_init(state: &State, agent: usize, object: usize) -> bool {
        let Some(memory) = &state.memory else { return true };
        memory.inits[object].is_none_or(|init| memory.clocks[agent].knows(init))
    }
}

impl Groups {
    fn commit(&mut self) {
        let group = core::mem::take(&mut self.open);
        self.groups.push(group);
    }
}

impl Memory {
    fn gone(&mut self, object: usize) {
        if let Some(init) = self.inits[object].take() {
            self.forget_event(init);
        }
    }
}
