//! Executions that never end: a set of states that no path leaves and in which every state can reach every other.
//!
//! Execution is fair: an agent that can continue eventually does. An agent that cannot continue in any state of the set is
//! therefore blocked forever. An agent that polls is stuck if a wait fails in the set, never succeeds, and success would
//! lead the agent to a node that it never reaches.

use super::Machine;
use super::node::action_of;
use super::state::State;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::Node;
use crate::ptx::action::Action;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// The observations of one agent.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Its nodes.
    nodes: OrderedSet<u32>,
    /// Whether it can continue in some state, or has ended.
    goes_on: bool,
    /// Waits that failed, with the first such state, excluding waits that also succeeded.
    refused: OrderedMap<u32, usize>,
    /// Waits that succeeded.
    passed: OrderedSet<u32>,
}

/// The rules that executions within a set of states break, and the index of the state that shows it best.
pub fn broken(machine: &Machine, states: &mut dyn Iterator<Item = State>) -> (u64, usize) {
    let mut seen: Vec<Seen> = Vec::new();
    let (mut rules, mut common, mut first) = (0, u64::MAX, None);
    for (index, state) in states.enumerate() {
        seen.resize(state.agents.len(), Seen::default());
        common &= state.broken;
        for (agent, seen) in seen.iter_mut().enumerate() {
            seen.look(machine, &state, agent, index);
        }
        first.get_or_insert(state);
    }
    let Some(first) = first else { return (0, 0) };
    let mut best = usize::MAX;
    for (agent, seen) in seen.iter().enumerate() {
        if !seen.goes_on {
            rules |= machine.stuck(&first, agent);
            best = 0;
        } else if let Some(index) = seen.waits_in_vain(machine, agent) {
            rules |= RuleId::PtxMbarrierNeverCompletes.bit();
            best = best.min(index);
        }
    }
    (rules | common, if best == usize::MAX { 0 } else { best })
}

impl Seen {
    fn look(&mut self, machine: &Machine, state: &State, agent: usize, index: usize) {
        let node = state.agents[agent].node;
        self.nodes.insert(node);
        self.goes_on |= state.agents[agent].ended || machine.ways(state, agent) > 0;
        match machine.passes(state, agent, node) {
            Some(true) => {
                self.passed.insert(node);
            }
            Some(false) => {
                self.refused.entry(node).or_insert(index);
            }
            None => {}
        }
    }

    /// The state that shows that a wait of the agent never succeeds, although only success would let the agent continue.
    fn waits_in_vain(&self, machine: &Machine, agent: usize) -> Option<usize> {
        let nodes = &machine.context.program.body_of(agent).nodes;
        let in_vain = |node: u32| {
            let at = &nodes[node as usize];
            let Node::Operation { next, .. } = at else { return false };
            matches!(action_of(at), Some(Action::Wait { .. }))
                && !self.passed.contains(&node)
                && !self.nodes.contains(&next[1])
        };
        self.refused.iter().filter(|(node, _)| in_vain(**node)).map(|(_, &index)| index).min()
    }
}
