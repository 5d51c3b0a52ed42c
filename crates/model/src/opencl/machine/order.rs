//! Symmetry: work-items of a sub-group with equal bodies are interchangeable, and so are sub-groups with equal work-items.

use super::Machine;
use super::state::{At, State};
use crate::symmetry;
use alloc::vec::Vec;

impl Machine {
    /// Puts a state into canonical form; returns the order that it used: for each position, the agent that moved there.
    pub fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        let agents = state.agents.len();
        let Some(symmetry) = &self.symmetry else { return (0..agents).collect() };
        let made = |agent: usize| &state.made[agent * self.declared..(agent + 1) * self.declared];
        let keys: Vec<(At, &[u16])> =
            (0..agents).map(|agent| (state.agents[agent], made(agent))).collect();
        let within = symmetry::order(&symmetry.items, &keys);
        let order = self.order_sub_groups(&symmetry.sub_groups, &within, &keys);
        if order.iter().enumerate().any(|(place, &agent)| place != agent) {
            let agents = order.iter().map(|&agent| state.agents[agent]).collect();
            let made = order.iter().flat_map(|&agent| made(agent)).copied().collect();
            (state.agents, state.made) = (agents, made);
        }
        order
    }

    /// Sorts sub-groups of one work-group with equal bodies by the states of their work-items.
    fn order_sub_groups(
        &self,
        classes: &[u32],
        within: &[usize],
        keys: &[(At, &[u16])],
    ) -> Vec<usize> {
        let standing = |sub_group: usize| -> Vec<&(At, &[u16])> {
            self.in_sub_group(sub_group).map(|place| &keys[within[place]]).collect()
        };
        let standing: Vec<_> = (0..classes.len()).map(standing).collect();
        let order = symmetry::order(classes, &standing);
        let places = order.iter().flat_map(|&sub_group| self.in_sub_group(sub_group));
        places.map(|place| within[place]).collect()
    }
}
