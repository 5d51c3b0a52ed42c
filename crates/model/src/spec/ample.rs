//! Selects a single agent whose step can go first without losing any outcome.
//!
//! The next step of agent *t* may go first if no operation that the others can perform before *t* moves depends on it (a
//! persistent set of one agent). [`crate::frozen`] bounds the operations of the others.
//!
//! Let `c` and `E` be the arrive count and expected count of object *o*, and `A` and `D` the arrives and drops that the
//! others can perform on *o*. If `c + A < E - D`, no phase of *o* completes before *t* moves. An arrive or drop of *t* then
//! commutes with each of theirs: only the last of them can complete the phase, so all are in one phase (under the other
//! reading of A10, only if the phase has an arrive), or in none if all are drops. It commutes with their waits on *o* if
//! there are none, or if no phase completes even with it. A wait of *t* commutes if at most one completed phase is left to
//! depend on: no new candidate can appear, and no other wait can remove it. An *init* of *t* may go first if no other agent
//! can use the object. Steps that break a rule never go first, so no finding hides another. An operation on memory may go
//! first: a race ends no path, and no barrier depends on memory, so it commutes with every other step (`spec/memory.rs`).

use super::Spec;
use super::choice::indices;
use super::state::{ObjectState, State};
use super::step::WaitsOn;
use crate::agent::{AgentState, Joined};
use crate::bounds::{Counts, Others};
use crate::frozen::View;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object};
use crate::parts::parts;
use crate::program::Node;
use crate::reach::instance_bit;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// A state, and the part of each agent in it.
type At<'a> = (&'a State, &'a [u32]);

impl Spec {
    /// An agent whose next step is the only one to explore from this state, if one is found.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        let parts = self.parts(state);
        let agents = (0..state.agents.len()).filter(|&agent| self.ways(state, agent) > 0);
        self.context.waits_first(&state.agents, agents).find(|&agent| {
            // If an agent cannot go first, an identical agent directly after it cannot either.
            !self.is_like_the_one_before(state, agent)
                && self.commutes((state, &parts), agent)
                && (self.is_on_memory(state, agent) || !self.breaks(state, agent))
        })
    }

    /// The part of each agent in a state.
    pub(super) fn parts(&self, state: &State) -> Vec<u32> {
        let counts = |instance: InstanceId| counts_of(&state.objects[usize::from(instance)]);
        parts(&self.context, &state.agents, counts)
    }

    fn is_like_the_one_before(&self, state: &State, agent: usize) -> bool {
        let Some(before) = agent.checked_sub(1) else { return false };
        self.context.classes[before] == self.context.classes[agent]
            && state.agents[before] == state.agents[agent]
            && state.memory.is_none()
    }

    fn commutes(&self, at @ (state, _): At<'_>, agent: usize) -> bool {
        match self.node(state, agent) {
            None | Some(Node::Divergent) => false,
            Some(Node::Choose { .. }) => true,
            Some(Node::End) => self.end_commutes(at, agent),
            Some(Node::Operation { operation, .. }) => {
                let instance = self.context.instances.at(agent, state.agents[agent].node);
                self.operation_commutes(at, agent, operation.action, instance)
            }
        }
    }

    fn operation_commutes(
        &self,
        at @ (state, _): At<'_>,
        agent: usize,
        action: Action,
        instance: InstanceId,
    ) -> bool {
        match action {
            Action::Memory(_)
            | Action::Ptx(..)
            | Action::Opencl(_)
            | Action::Caches
            | Action::Condition(_)
            | Action::ReadState { .. } => true,
            // Under the other reading of A17, a join or wait depends on whether the object is initialised, which does not change.
            Action::Join { object } => {
                object == Object::Null
                    || self.usual(ReadingId::AmdA17)
                    || instance != NO_INSTANCE
                        && state.objects[usize::from(instance)].barrier.initialised
            }
            Action::Leave => match state.agents[agent].joined {
                Joined::Named(joined, true) => self.modification_commutes(at, agent, joined, false),
                _ => true,
            },
            Action::Wait { object } => match self.waits_on(state, agent, object) {
                WaitsOn::Null => true,
                WaitsOn::Instance(instance) => self.wait_commutes(at, agent, instance),
            },
            _ if instance == NO_INSTANCE => true,
            Action::Init { .. } => {
                let others = self.others(at, agent, instance, false);
                let asked = others.memberships > 0 && !self.usual(ReadingId::AmdA17);
                !others.touched && !asked
            }
            Action::Arrive { expected: Some(_), .. } => false,
            Action::Arrive { is_first, .. } => {
                self.modification_commutes(at, agent, instance, is_first)
            }
            Action::Drop { .. } => self.modification_commutes(at, agent, instance, false),
        }
    }

    /// Whether the step breaks a rule that was not broken before, in some choice.
    fn breaks(&self, state: &State, agent: usize) -> bool {
        let next = self.perform(state, agent, 0);
        next.stop.is_some() || Self::broken_somewhere(&next) & !Self::broken_somewhere(state) != 0
    }

    fn modification_commutes(
        &self,
        at @ (state, _): At<'_>,
        agent: usize,
        instance: InstanceId,
        asks_first: bool,
    ) -> bool {
        let barrier = state.objects[usize::from(instance)].barrier;
        let counts = counts(state)[usize::from(instance)];
        let others = self.others(at, agent, instance, true);
        let order_shows = asks_first && barrier.arrived == 0 && others.arrives > 0;
        let waits_see_it = others.waits > 0 && !counts.stays_open(others, 1);
        // Under the other reading of A10, a drop is in the phase if and only if an arrive precedes it.
        let begins = barrier.arrived == 0 && others.arrives + others.drops > 0;
        let phase_shows = begins && !self.usual(ReadingId::AmdA10);
        let shows = order_shows || waits_see_it || phase_shows;
        barrier.initialised && counts.stays_open(others, 0) && !shows
    }

    fn wait_commutes(&self, at @ (state, _): At<'_>, agent: usize, instance: InstanceId) -> bool {
        if instance == NO_INSTANCE {
            return true;
        }
        let others = self.others(at, agent, instance, true);
        state.completed_of(instance).count_ones() == 1
            && counts(state)[usize::from(instance)].stays_open(others, 0)
    }

    /// The end of a wave drops the workgroup barrier, and the last one perhaps the cluster barrier.
    fn end_commutes(&self, at @ (state, _): At<'_>, agent: usize) -> bool {
        let instances = &self.context.instances;
        let drop = |instance| {
            instance == NO_INSTANCE || self.modification_commutes(at, agent, instance, false)
        };
        let cluster = instances.cluster_of(agent);
        drop(instances.workgroup_of(agent))
            && (cluster == NO_INSTANCE
                || (drop(cluster) && self.any_wave_may_be_last(state, agent, cluster)))
    }

    /// Whether it does not matter which wave of the workgroup ends last and drops the cluster barrier: no agent uses the barrier
    /// again, and no wave of the workgroup owes a wait (`amd.drop.race`). The time of the drop is checked for the agent that
    /// would be last.
    fn any_wave_may_be_last(&self, state: &State, agent: usize, cluster: InstanceId) -> bool {
        let group = self.context.program.agents[agent].workgroup;
        let mut others =
            self.context.in_workgroup(group).filter(|&other| !state.agents[other].ended);
        if others.all(|other| other == agent) {
            return true;
        }
        let uses = |(other, at): (usize, &AgentState)| {
            let reach = self.context.reaches.from(other, at.node);
            !at.ended && reach.touches & instance_bit(cluster) != 0
        };
        let same = state.slots_of(cluster);
        let owes = |other: usize| {
            state.choices.iter().any(|choice| choice.agents[other].arrived & same != 0)
        };
        !state.agents.iter().enumerate().any(uses) && !self.context.in_workgroup(group).any(owes)
    }

    fn others(
        &self,
        (state, parts): At<'_>,
        frozen: usize,
        object: InstanceId,
        stays_open: bool,
    ) -> Others {
        let passable = |agent: usize, instance: InstanceId| {
            let can =
                |&slot: &usize| state.choices.iter().any(|choice| choice.can_wait(agent, slot));
            indices(state.completed_of(instance)).filter(can).count() as u32
        };
        let last = self.usual(ReadingId::AmdA7);
        let acts_on = |operand: Object, instance: InstanceId, joined: Joined| match joined {
            Joined::Null if operand.is_named() && last => NO_INSTANCE,
            Joined::Named(joined, _) if operand.is_named() && last => joined,
            _ => instance,
        };
        let counts = counts(state);
        View {
            context: &self.context,
            agents: &state.agents,
            parts,
            counts: &counts,
            passable: &passable,
            law: u8::from(last),
            drop_leaves: false,
            last_drops_cluster: self.usual(ReadingId::AmdA4),
            acts_on: &acts_on,
        }
        .others(frozen, object, stays_open)
    }
}

fn counts(state: &State) -> Vec<Counts> {
    state.objects.iter().map(counts_of).collect()
}

fn counts_of(object: &ObjectState) -> Counts {
    Counts { arrived: object.barrier.arrived, expected: object.barrier.expected }
}
