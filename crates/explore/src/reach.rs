//! The part of a state space that a search has covered when it ends at a limit.

use crate::{End, Order, Run, System};

/// All paths up to a length, which a breadth-first search without reductions has visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The length: every state at most this many steps from the initial state was visited.
    pub steps: u32,
    /// The number of these states.
    pub states: u64,
    /// How many of them are exactly this many steps away, and one step less.
    pub levels: [u64; 2],
    /// All states that the search stored.
    pub stored: u64,
}

impl Reach {
    /// The length that a search with this many times the states is expected to reach, if the number of states continues to grow by
    /// the same factor with each step. `None` if it does not grow.
    #[must_use]
    pub fn expected(&self, times: u64) -> Option<u32> {
        let [last, before] = self.levels.map(u128::from);
        if before == 0 || last <= before {
            return None;
        }
        let most = u128::from(self.stored) * u128::from(times);
        let (mut steps, mut states, mut level) = (self.steps, u128::from(self.states), last);
        loop {
            level = level * last / before;
            states += level;
            if states > most {
                return Some(steps);
            }
            steps += 1;
        }
    }
}

impl<S: System> Run<'_, S> {
    /// The paths that this search has covered. States are expanded in the order of their distance.
    pub(crate) fn reach(&self) -> Option<Reach> {
        let is_wide = self.plan.order == Order::BreadthFirst && !self.plan.reduce;
        if !is_wide || self.found.end == End::Cancelled {
            return None;
        }
        let expanded = (self.next as usize).min(self.depths.len());
        let last = *self.depths.get(expanded.checked_sub(1)?)?;
        let next = self.depths.get(expanded);
        // A state with a requested fact is not free of it, and neither are others at its distance that are yet to be expanded.
        let is_whole = self.found.end != End::Met && next.is_none_or(|&next| next > last);
        let steps = if is_whole { last } else { last.checked_sub(1)? };
        let within = |steps: u32| self.depths.partition_point(|&depth| depth <= steps) as u64;
        let below = |steps: u32| self.depths.partition_point(|&depth| depth < steps) as u64;
        let level = |steps: u32| within(steps) - below(steps);
        let levels = [level(steps), steps.checked_sub(1).map_or(0, level)];
        Some(Reach { steps, states: within(steps), levels, stored: self.arena.len() })
    }
}
