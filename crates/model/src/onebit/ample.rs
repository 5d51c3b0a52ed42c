//! Selects a single wave whose step can go first without losing any outcome. The argument is that of the exploration of
//! the specification; in addition, a completion must have the same members in either order.

use super::{Class, Machine, State};
use crate::agent::Joined;
use crate::bounds::{Counts, Others};
use crate::frozen::View;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object};
use crate::parts::parts;
use crate::program::Node;
use alloc::vec::Vec;

impl Machine {
    /// An agent whose next step is the only one to explore from this state, if one is found.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        let counts: Vec<Counts> = state.objects.iter().map(counts).collect();
        let parts = self.parts(state);
        let ready = (0..state.agents.len()).filter(|&agent| self.ways(state, agent) > 0);
        // If a wave cannot go first, an identical wave directly after it cannot either.
        let alike = |agent: usize| {
            agent.checked_sub(1).is_some_and(|before| {
                self.context.classes[before] == self.context.classes[agent]
                    && state.agents[before] == state.agents[agent]
                    && state.bits[before] == state.bits[agent]
            })
        };
        let mut ready = self.context.waits_first(&state.agents, ready);
        ready.find(|&agent| !alike(agent) && self.commutes(state, (&counts, &parts), agent))
    }

    /// The part of each wave in a state.
    pub(super) fn parts(&self, state: &State) -> Vec<u32> {
        let of = |instance: InstanceId| counts(&state.objects[usize::from(instance)]);
        parts(&self.context, &state.agents, of)
    }

    fn commutes(&self, state: &State, at: (&[Counts], &[u32]), agent: usize) -> bool {
        let own = state.agents[agent];
        let quiet = |instance: InstanceId, change: Change| {
            instance == NO_INSTANCE
                || change.is_quiet(
                    at.0[usize::from(instance)],
                    self.others(state, at, agent, instance, !matches!(change, Change::Reset)),
                )
        };
        match self.node(state, agent) {
            None | Some(Node::Divergent) => false,
            Some(Node::Choose { .. }) => true,
            Some(Node::End) => {
                let (group, cluster) = (
                    self.context.instances.workgroup_of(agent),
                    self.context.instances.cluster_of(agent),
                );
                quiet(group, Change::Count)
                    && quiet(joined(own.joined), Change::Own)
                    // Only the time at which the last wave of the workgroup leaves the cluster barrier is visible, not which wave it is.
                    && quiet(cluster, Change::Count)
            }
            Some(Node::Operation { operation, .. }) => {
                let instance = self.context.instances.at(agent, own.node);
                match operation.action {
                    Action::Memory(_)
                    | Action::Ptx(..)
                    | Action::Opencl(_)
                    | Action::Caches
                    | Action::Condition(_)
                    | Action::ReadState { .. } => true,
                    Action::Init { .. } => quiet(instance, Change::Reset),
                    Action::Arrive { expected: Some(_), .. } => false,
                    Action::Arrive { is_first: true, .. } => quiet(instance, Change::AsksFirst),
                    Action::Arrive { .. } => quiet(instance, Change::Count),
                    Action::Leave | Action::Drop { .. } => quiet(joined(own.joined), Change::Count),
                    Action::Join { .. } => {
                        quiet(instance, Change::Own) && quiet(joined(own.joined), Change::Own)
                    }
                    Action::Wait { object } if Class::of(object) == Class::Named => {
                        quiet(joined(own.joined), Change::Own)
                    }
                    Action::Wait { .. } => quiet(instance, Change::Own),
                }
            }
        }
    }

    fn others(
        &self,
        state: &State,
        (counts, parts): (&[Counts], &[u32]),
        frozen: usize,
        instance: InstanceId,
        stays_open: bool,
    ) -> Others {
        let passable = |agent: usize, instance: InstanceId| {
            u32::from(state.bits[agent] & Class::of(self.context.object(instance)).bit() != 0)
        };
        let acts_on = |operand: Object, instance: InstanceId, last: Joined| match Class::of(operand)
        {
            class if self.ignores(class) => NO_INSTANCE,
            Class::Named => joined(last),
            _ => instance,
        };
        let view = View {
            context: &self.context,
            agents: &state.agents,
            parts,
            counts,
            passable: &passable,
            law: 2,
            drop_leaves: true,
            last_drops_cluster: true,
            acts_on: &acts_on,
        };
        view.others(frozen, instance, stays_open)
    }
}

/// The interaction of a step with the operations of others on an object.
#[derive(Clone, Copy)]
enum Change {
    /// It changes the counts, and may complete the object.
    Count,
    /// As `Count`, and it tests for the first arrival.
    AsksFirst,
    /// It resets the counts.
    Reset,
    /// It changes the wave's own bit or membership only.
    Own,
}

impl Change {
    fn is_quiet(self, counts: Counts, others: Others) -> bool {
        let members_change = others.waits > 0 || others.memberships > 0;
        let count_is_quiet =
            counts.stays_open(others, 0) && (!members_change || counts.stays_open(others, 1));
        match self {
            Self::Count => count_is_quiet,
            Self::AsksFirst => count_is_quiet && (counts.arrived > 0 || others.arrives == 0),
            Self::Reset => !others.touched,
            Self::Own => counts.stays_open(others, 0),
        }
    }
}

fn counts(counters: &super::Counters) -> Counts {
    Counts { arrived: i32::from(counters.signals), expected: i32::from(counters.members) }
}

fn joined(joined: Joined) -> InstanceId {
    if let Joined::Named(instance, _) = joined { instance } else { NO_INSTANCE }
}
