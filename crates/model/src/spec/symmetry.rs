//! Canonical states: the agents of each class, sorted by their states.
//!
//! Ties that only the relations among agents could break are kept, which costs states but not correctness.

use super::Spec;
use super::choice::{Choice, Standing};
use super::state::State;
use crate::agent::AgentState;
use crate::hash::Fnv;
use crate::symmetry;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

impl Spec {
    /// Puts a state into canonical form; returns the order that it used: for each position, the old index of its agent.
    pub fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        let key = |agent: usize| (state.agents[agent], fingerprint(&state.choices, agent));
        let keys: Vec<(AgentState, u64)> = (0..state.agents.len()).map(key).collect();
        let order = symmetry::order(&self.context.classes, &keys);
        if order.iter().enumerate().any(|(place, &agent)| place != agent) {
            let joiners: Vec<usize> =
                order.iter().filter_map(|&agent| self.joiner(agent)).collect();
            state.permute(&order, &joiners);
            state.choices.sort_unstable();
        }
        order
    }
}

/// A number that depends on the knowledge of an agent in each choice, but not on the order of choices or on joins.
fn fingerprint(choices: &[Choice], agent: usize) -> u64 {
    choices.iter().fold(0, |sum: u64, choice| sum.wrapping_add(digest(&choice.agents[agent])))
}

fn digest(standing: &Standing) -> u64 {
    let mut hasher = Fnv::new();
    let known = &standing.known;
    let own = (known.took_part, known.dead, known.waited, known.joins.count_ones(), &known.pairs);
    (own, standing.used, standing.arrived).hash(&mut hasher);
    hasher.finish()
}
