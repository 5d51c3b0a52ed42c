//! Executions of AMDGPU machines that never end, as a set of states that no path leaves. An agent that cannot continue in any state of
//! the set never completes its wait, although others continue forever.

use crate::agent::AgentState;
use crate::ordered::{OrderedMap, OrderedSet};

/// The behaviour of agents in the states of the set. Agents of one class are interchangeable.
#[derive(Debug, Default)]
pub(crate) struct Endless {
    /// Classes of agents, and nodes at which one of them continues.
    pub passed: OrderedSet<(u32, u32)>,
    /// Classes of agents, and nodes at which one of them is blocked, with the index of the first such state.
    pub blocked: OrderedMap<(u32, u32), usize>,
}

impl Endless {
    /// Adds a state, in which `ways` is the number of outcomes of an agent's next step.
    pub(crate) fn add(
        &mut self,
        index: usize,
        classes: &[u32],
        agents: &[AgentState],
        ways: impl Fn(usize) -> usize,
    ) {
        for (agent, at) in agents.iter().enumerate().filter(|(_, at)| !at.ended) {
            let place = (classes[agent], at.node);
            if ways(agent) > 0 {
                self.passed.insert(place);
            } else {
                self.blocked.entry(place).or_insert(index);
            }
        }
    }

    /// The index of a state in which an agent is blocked forever, if there is one.
    pub(crate) fn starved(&self) -> Option<usize> {
        let forever = self.blocked.iter().filter(|(place, _)| !self.passed.contains(place));
        forever.map(|(_, &index)| index).min()
    }
}
