//! Which agent may go first alone.
//!
//! A step commutes with all that others can do before it: accesses and fences look at no barrier; a work-item that comes
//! to a barrier only marks itself, and the last to come only moves those that wait there, none of whom can do anything
//! else. So one agent is enough, except
//!
//! * where its step breaks a rule behind which nothing is defined: others may break another one first. Such a step stays
//!   possible until it is taken, because whoever it is at odds with waits or has ended. So where no work-item can break
//!   any other rule from where it stands (`may.rs`), every path from here ends with that one, and one step says so;
//! * where it is the last of its sub-group to come to a named barrier for which more sub-groups can come than its count:
//!   there the order decides who meets. Only those count that can come before the next barrier of their work-group, which
//!   nobody passes while this agent has not moved.

use super::Machine;
use super::state::{Standing, State};
use crate::mem::map::LARGE;
use crate::opencl::action::{Action, Group};
use crate::program::Node;
use crate::reach::successors;
use alloc::vec::Vec;

/// Most steps that a search goes at once.
const MOST_AT_ONCE: usize = 256;

/// The bit of a declared named barrier; those from 127 on share one.
pub(super) fn bit(object: u16) -> u128 {
    1 << object.min(127)
}

/// By node the named barriers that can be waited on from there before the next barrier of the work-group.
pub(super) fn ahead(nodes: &[Node]) -> Vec<u128> {
    let mut ahead = alloc::vec![0_u128; nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for id in (0..nodes.len()).rev() {
            let action = super::action_of(&nodes[id]);
            let behind =
                || successors(&nodes[id]).iter().fold(0, |set, &next| set | ahead[next as usize]);
            let set = match action {
                Some(Action::Barrier { group: Group::Work, .. }) => 0,
                Some(Action::Wait { object, .. }) => bit(object) | behind(),
                _ => behind(),
            };
            changed |= set != ahead[id];
            ahead[id] = set;
        }
    }
    ahead
}

impl Machine {
    /// An agent whose step may be taken alone. Where that leaves fewer states, one that goes several ways goes last.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        self.first(state).map(|(agent, _)| agent)
    }

    /// That agent, and unless it goes several ways what its step leads to.
    fn first(&self, state: &State) -> Option<(usize, Option<State>)> {
        let able = || (0..state.agents.len()).filter(|&agent| self.ways(state, agent) > 0);
        let late = |agent: &usize| {
            self.forks_last && matches!(self.node(state, *agent), Some(Node::Choose { .. }))
        };
        let mut ordered = able().filter(|agent| !late(agent)).chain(able().filter(late));
        ordered.find_map(|agent| self.alone(state, agent).map(|next| (agent, next)))
    }

    fn alone(&self, state: &State, agent: usize) -> Option<Option<State>> {
        match self.node(state, agent)? {
            Node::Choose { .. } => Some(None),
            _ if self.is_contested(state, agent) => None,
            _ => {
                let next = self.perform(state, agent, 0);
                let alone = !next.stopped || self.is_only(state, agent, next.broken);
                alone.then_some(Some(next))
            }
        }
    }

    /// Whether there are so many agents that a search goes several steps at once.
    #[must_use]
    pub fn is_large(&self) -> bool {
        let program = &self.context.program;
        let large = program.part.is_some() || program.agents.len() > LARGE;
        large && !self.ordered && !self.has_cycles()
    }

    /// Goes on from a state in which nothing is broken that was not before, with steps that may be taken alone and go one
    /// way, until one breaks something; `each` is told the agent of every step.
    pub fn go_far(&self, state: &mut State, mut each: impl FnMut(usize)) {
        let broken = state.broken;
        for _ in 0..MOST_AT_ONCE {
            let Some((agent, Some(next))) = self.first(state) else { return };
            *state = next;
            each(agent);
            if state.broken != broken {
                return;
            }
        }
    }

    /// Whether the order decides what the next step of an agent does.
    fn is_contested(&self, state: &State, agent: usize) -> bool {
        let Some(Action::Wait { object, .. }) = self.action(state, agent) else { return false };
        let mut others = self.in_sub_group(self.sub_group(agent)).filter(|&other| other != agent);
        if !others.all(|other| state.agents[other].standing == Standing::Waiting) {
            return false;
        }
        let count = self.object(state, agent, object).map_or(0, |object| object.count);
        let comes = |other: usize| {
            let at = state.agents[other];
            at.standing != Standing::Ended && self.ahead(other, at.node) & bit(object) != 0
        };
        let come = |&sub_group: &usize| self.in_sub_group(sub_group).any(comes);
        self.sub_groups(self.group(agent)).filter(come).count() > count as usize
    }
}
