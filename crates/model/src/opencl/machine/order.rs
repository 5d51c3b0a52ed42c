//! Symmetry: work-items of a sub-group with equal bodies are interchangeable, and so are sub-groups with equal work-items.

use super::Machine;
use super::state::{At, State};
use crate::symmetry;
use alloc::vec::Vec;

impl Machine {
    /// Puts a state into canonical form; returns the order that it used: for each position, the agent that moved there.
    pub fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        let agents = state.agents.len();
        if !self.ordered {
            return (0..agents).collect();
        }
        let made = |agent: usize| &state.made[agent * self.declared..(agent + 1) * self.declared];
        let keys: Vec<(At, &[u16])> =
            (0..agents).map(|agent| (state.agents[agent], made(agent))).collect();
        let program = &self.context.program;
        let classes = symmetry::classes_by(program, |agent| {
            agent.wave / (agents as u32 / (program.launch.workgroups * program.launch.waves)).max(1)
        });
        let within = symmetry::order(&classes, &keys);
        let order = self.order_sub_groups(&within, &keys);
        if order.iter().enumerate().any(|(place, &agent)| place != agent) {
            let agents = order.iter().map(|&agent| state.agents[agent]).collect();
            let made = order.iter().flat_map(|&agent| made(agent)).copied().collect();
            (state.agents, state.made) = (agents, made);
        }
        order
    }

    /// Sorts sub-groups of one work-group with equal bodies by the states of their work-items.
    fn order_sub_groups(&self, within: &[usize], keys: &[(At, &[u16])]) -> Vec<usize> {
        let program = &self.context.program;
        let sub_groups = (program.launch.workgroups * program.launch.waves) as usize;
        let bodies = |sub_group: usize| {
            let bodies = self.in_sub_group(sub_group).map(|agent| program.agents[agent].body);
            (sub_group as u32 / program.launch.waves, bodies.collect::<Vec<_>>())
        };
        let bodies: Vec<_> = (0..sub_groups).map(bodies).collect();
        let first = |sub_group: usize| {
            let same = bodies.iter().position(|other| *other == bodies[sub_group]);
            same.unwrap_or(sub_group) as u32
        };
        let classes: Vec<u32> = (0..sub_groups).map(first).collect();
        let standing = |sub_group: usize| -> Vec<&(At, &[u16])> {
            self.in_sub_group(sub_group).map(|place| &keys[within[place]]).collect()
        };
        let standing: Vec<_> = (0..sub_groups).map(standing).collect();
        let order = symmetry::order(&classes, &standing);
        let places = order.iter().flat_map(|&sub_group| self.in_sub_group(sub_group));
        places.map(|place| within[place]).collect()
    }
}
