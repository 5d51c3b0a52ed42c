//! The touches of steps, for [`crate::one_run`].
//!
//! An arrive or a drop participates in the open phase. Two participants of one phase commute: the one that is performed last
//! completes it, whichever it is, and the knowledge at the completion is that of all of them. An arrive that tests for the
//! first arrival does not commute and is left to the search. A wait commutes with waits, and with arrives and drops of the
//! next phase that do not complete it.
//!
//! A wait depends on the last completed phase *g* only (condition U). No later phase is complete by condition P. Earlier
//! phases are excluded: the phases before one with a wait that happens before this wait are dead by *phase separation*, and
//! the phases that the agent waited for are used. A completed phase has an arrive in its participants, except under the other
//! reading of A2, where its drops participate in the same way. Under the other reading of A10, condition D puts each drop into
//! its phase in every order or in none; it is counted in both cases. The rules of joins and drops are functions of happens-before and of the
//! phases that have a wait, so they are broken in every order or in none.
//!
//! Accesses, fences and marks change no barrier and commute with every step of other agents (`spec/memory.rs`).

use super::Spec;
use super::choice::{Choice, indices};
use super::state::State;
use super::step::WaitsOn;
use crate::agent::Joined;
use crate::barrier::Barrier;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::one_run::order::Order;
use crate::one_run::touch::{Awaited, Part, Passes, Touch, Touches};
use crate::operation::{Action, Object, Operation};
use crate::program::Node;
use crate::reading::ReadingId;
use alloc::vec::Vec;

impl Spec {
    /// Arrivals that complete a phase of each object at launch; `None` if the program or the readings are not covered.
    pub(super) fn needed(&self) -> Option<Vec<u32>> {
        let drops = self.usual(ReadingId::AmdA2) || self.usual(ReadingId::AmdA10);
        let covered = drops && self.usual(ReadingId::AmdA6);
        if !covered || self.context.reaches.any_cycle() {
            return None;
        }
        let expected = |object: &super::state::ObjectState| object.barrier.expected.max(0) as u32;
        Some(self.initial().objects.iter().map(expected).collect())
    }

    /// Whether the state agrees with the clocks on the phases of an object. Under the other reading of A2, the end of the last
    /// wave of a cluster completes a phase of the cluster barrier, which no wave is left to wait for.
    pub(super) fn agrees(&self, state: &State, object: u32, order: &Order) -> bool {
        let object = object as usize;
        let (counted, completed) = (order.completed(object), state.objects[object].completed);
        let ended = || {
            let instances = &self.context.instances;
            let of = |agent: &usize| usize::from(instances.cluster_of(*agent)) == object;
            (0..state.agents.len()).filter(of).all(|agent| state.agents[agent].ended)
        };
        let last = || completed == counted + 1 && order.is_closed(object) && ended();
        state.choices.len() == 1 && (completed == counted || last())
    }

    /// A drop. Without an arrive, it completes a phase only under the other reading of A2. Under the other reading of A10, a drop
    /// before the first arrive of a phase is outside of it.
    fn drop_touch(&self) -> Touch {
        let arrives = !self.usual(ReadingId::AmdA2);
        let follows = !self.usual(ReadingId::AmdA10);
        Touch::Part(Part { count: 1, fewer: 1, arrives, follows, ..Part::NONE })
    }

    /// Adds the touches of the next step of an agent; `false` if it is not covered.
    pub(super) fn touches(&self, state: &State, agent: usize, out: &mut Touches) -> bool {
        match self.node(state, agent) {
            Some(Node::End) => self.end_touches(state, agent, out),
            Some(Node::Operation { operation, next }) => {
                self.operation_touches(state, agent, (*operation, next), out)
            }
            _ => false,
        }
    }

    /// The last wave of a workgroup to end drops the cluster barrier. Which wave that is must not matter.
    fn end_touches(&self, state: &State, agent: usize, out: &mut Touches) -> bool {
        if !self.usual(ReadingId::AmdA3) {
            return true;
        }
        let instances = &self.context.instances;
        let (own, cluster) = (instances.workgroup_of(agent), instances.cluster_of(agent));
        if own != NO_INSTANCE {
            out.push((u32::from(own), self.drop_touch()));
        }
        if cluster != NO_INSTANCE {
            let last = self.usual(ReadingId::AmdA4);
            out.push((u32::from(cluster), if last { Touch::Close } else { self.drop_touch() }));
            let alone = self.context.program.launch.waves == 1;
            return !last || alone || !Self::arrives_unwaited(state, agent, cluster);
        }
        true
    }

    /// Whether an agent arrived in a phase of an object of which it knows no wait, so that its drop can break *drop race*.
    fn arrives_unwaited(state: &State, agent: usize, instance: InstanceId) -> bool {
        let slots = state.slots_of(instance);
        let owes = |choice: &Choice| {
            let standing = &choice.agents[agent];
            standing.arrived & slots & !standing.known.waited != 0
        };
        state.choices.iter().any(owes)
    }

    fn operation_touches(
        &self,
        state: &State,
        agent: usize,
        (operation, next): (Operation, &[u32; 2]),
        out: &mut Touches,
    ) -> bool {
        let instance = self.context.instances.at(agent, state.agents[agent].node);
        let barrier = |instance: InstanceId| state.objects[usize::from(instance)].barrier;
        let mut touch = |instance: InstanceId, touch: Touch| {
            out.push((u32::from(instance), touch));
            self.in_scope(agent, instance)
        };
        match operation.action {
            Action::Memory(_)
            | Action::Ptx(..)
            | Action::Opencl(_)
            | Action::Caches
            | Action::Condition(_)
            | Action::ReadState { .. } => true,
            Action::Join { object: Object::Null } => true,
            Action::Join { .. } if self.usual(ReadingId::AmdA17) => true,
            Action::Join { .. } => instance != NO_INSTANCE && touch(instance, Touch::Use),
            Action::Leave => match state.agents[agent].joined {
                Joined::Named(joined, true) => touch(joined, self.drop_touch()),
                Joined::Null => true,
                _ => false,
            },
            Action::Wait { object } => match self.waits_on(state, agent, object) {
                WaitsOn::Null => true,
                WaitsOn::Instance(instance) => {
                    Self::depends_on_last(state, agent, instance)
                        && touch(instance, Touch::Wait(Passes::Next))
                }
            },
            _ if instance == NO_INSTANCE => true,
            Action::Init { .. } => {
                let needed = u32::try_from(operation.initial(self.readings)).unwrap_or(0);
                touch(instance, Touch::Whole { needed, forgets: false })
            }
            Action::Arrive { expected, is_first, .. } => {
                arrive(barrier(instance), expected)
                    .is_some_and(|part| touch(instance, Touch::Part(part)))
                    && !(is_first && next[0] != next[1])
            }
            Action::Drop { .. } => touch(instance, self.drop_touch()),
        }
    }

    /// The barrier at which an agent is blocked.
    pub(super) fn awaits(&self, state: &State, agent: usize) -> Option<Awaited> {
        let Some(Node::Operation { operation, .. }) = self.node(state, agent) else { return None };
        let Action::Wait { object } = operation.action else { return None };
        match self.waits_on(state, agent, object) {
            WaitsOn::Instance(instance) if instance != NO_INSTANCE => {
                self.in_scope(agent, instance).then_some(Awaited::Next(instance.into()))
            }
            _ => None,
        }
    }

    /// Whether a wait depends on the last completed phase of an object only.
    fn depends_on_last(state: &State, agent: usize, instance: InstanceId) -> bool {
        if instance == NO_INSTANCE {
            return false;
        }
        let mut slots = indices(Self::candidates(state, agent, instance));
        let last = slots.next().map(|slot| state.slots[slot].serial + 1);
        last == Some(state.objects[usize::from(instance)].completed) && slots.next().is_none()
    }
}

/// An arrive. One that changes the expected count does not commute with another arrive.
fn arrive(barrier: Barrier, expected: Option<i64>) -> Option<Part> {
    let same = expected.is_none_or(|expected| expected == i64::from(barrier.expected));
    let part = Part { count: 1, arrives: true, keeps: expected.is_some(), ..Part::NONE };
    (barrier.initialised && same).then_some(part)
}
