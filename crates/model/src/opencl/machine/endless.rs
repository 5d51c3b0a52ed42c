//! Executions that never end: a set of states that no path leaves and in which every state can reach every other.
//!
//! Execution is fair: a work-item that can continue eventually does. A work-item that cannot continue in any state of the
//! set and has not ended is therefore blocked forever, as at the end of a stuck path.

use super::Machine;
use super::node::bit;
use super::state::{Standing, State};
use crate::opencl::action::Action;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// The rules that executions within a set of states break, and the index of the state that shows it best, with the fewest
/// blocked work-items.
pub fn broken(machine: &Machine, states: &mut dyn Iterator<Item = State>) -> (u64, usize) {
    let Some(first) = states.next() else { return (0, 0) };
    let blocked = |state: &State| -> Vec<bool> {
        (0..state.agents.len()).map(|agent| machine.is_blocked(state, agent)).collect()
    };
    let mut never = blocked(&first);
    let (mut common, mut best) = (first.broken, (count(&never), 0));
    for (index, state) in (1..).zip(states) {
        common &= state.broken;
        let now = blocked(&state);
        best = best.min((count(&now), index));
        never.iter_mut().zip(now).for_each(|(never, now)| *never &= now);
    }
    let starved: Vec<usize> = (0..never.len()).filter(|&agent| never[agent]).collect();
    (common | machine.starved(&first, &starved) | machine.never_made(&first), best.1)
}

fn count(blocked: &[bool]) -> usize {
    blocked.iter().filter(|&&blocked| blocked).count()
}

impl Machine {
    /// Whether a work-item has not ended and cannot continue.
    #[must_use]
    pub fn is_blocked(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].standing != Standing::Ended && self.ways(state, agent) == 0
    }

    /// The rule that blocked work-items break together.
    pub(super) fn starved(&self, state: &State, agents: &[usize]) -> u64 {
        let named = |&agent: &usize| matches!(self.action(state, agent), Some(Action::Wait { .. }));
        if agents.is_empty() {
            0
        } else if agents.iter().any(named) {
            RuleId::OpenclNamedNeverCompletes.bit()
        } else {
            RuleId::OpenclBarrierAllEncounter.bit()
        }
    }

    /// `opencl.named.uniform`, if a work-item has constructed a barrier that another has not constructed and cannot construct on
    /// any path from its node.
    pub(super) fn never_made(&self, state: &State) -> u64 {
        let misses = (0..self.declared)
            .any(|declared| self.who_never_makes(state, declared as u16).is_some());
        if misses { RuleId::OpenclNamedUniform.bit() } else { 0 }
    }

    /// A work-item that has constructed a declared barrier less often than another of its work-group, and cannot reach another
    /// construction of it.
    #[must_use]
    pub fn who_never_makes(&self, state: &State, declared: u16) -> Option<usize> {
        (0..state.agents.len()).find(|&agent| {
            let own = self.made(state, agent, declared);
            !self.makes(state, agent, declared)
                && self
                    .in_group(self.group(agent))
                    .any(|other| self.made(state, other, declared) > own)
        })
    }

    /// The first declared barrier that a work-item never constructs and another has, with that work-item.
    #[must_use]
    pub fn missing_object(&self, state: &State) -> Option<(u16, usize)> {
        (0..self.declared as u16)
            .find_map(|object| Some((object, self.who_never_makes(state, object)?)))
    }

    /// Whether a work-item can reach a construction of a declared barrier.
    fn makes(&self, state: &State, agent: usize, declared: u16) -> bool {
        let at = state.agents[agent];
        let body = self.context.program.agents[agent].body as usize;
        at.standing != Standing::Ended && self.makes[body][at.node as usize] & bit(declared) != 0
    }
}
