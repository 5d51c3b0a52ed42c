//! Selects a single agent whose step can go first.
//!
//! A step commutes with all earlier steps of others. Accesses and fences depend on no barrier. A work-item that reaches a
//! barrier only marks itself, and the last to arrive only advances the waiting work-items, which have no other steps. One
//! agent is therefore enough, except in three cases:
//!
//! * Its step breaks a rule after which behaviour is undefined: others may break another rule first. Such a step stays
//!   enabled, because the conflicting work-item waits or has ended. If no work-item can break another rule from its node
//!   (`may.rs`), every path from here ends with this step.
//! * The step of another work-item could conflict with it, and more than one rule ends paths: that step may conflict with a
//!   third one, too, and break another rule, or its work-item may continue (`precede.rs`). If only one rule ends paths,
//!   a path that ends with it still does so if this agent goes first.
//! * It is the last of its sub-group to reach a named barrier that more sub-groups than its count can reach: the order then
//!   decides which sub-groups synchronise. Only sub-groups that can arrive before the next barrier of their work-group
//!   count, which no work-item passes before this agent moves.

use super::Machine;
use super::node::bit;
use super::state::{At, Standing, State};
use crate::mem::map::LARGE;
use crate::opencl::action::Action;
use crate::program::Node;

/// The maximum number of steps that a search takes at once.
const MOST_AT_ONCE: usize = 256;

impl Machine {
    /// An agent whose step is the only one to explore. If that leaves fewer states, an agent with several outcomes goes last.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        self.first(state).map(|(agent, _)| agent)
    }

    /// An agent, and its successor state if its step has one outcome.
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
            _ if self.is_contested(state, agent) || self.is_preceded(state, agent) => None,
            // Accesses end no path, and most of a large state is memory.
            _ => {
                let bare = self.advanced(state.without_memory(), agent, 0);
                let alone = !bare.stopped || self.is_only(state, agent, bare.broken);
                alone.then(|| Some(self.perform(state, agent, 0)))
            }
        }
    }

    /// Whether there are enough agents for a search to take several steps at once.
    #[must_use]
    pub fn is_large(&self) -> bool {
        let program = &self.context.program;
        let large = program.part.is_some() || program.agents.len() > LARGE;
        large && !self.has_cycles()
    }

    /// Continues from a state without a new broken rule, with single steps of one outcome, until a step breaks a rule. Calls
    /// `each` with the agent of every step.
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

    /// Whether the effect of the next step of an agent depends on the order.
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

    /// Whether the step of an agent breaks one rule after which behaviour is undefined, and no work-item can break another rule
    /// from this state. The agent never reaches the barrier of the others, so none of its work-group passes a barrier.
    fn is_only(&self, state: &State, agent: usize, broken: u64) -> bool {
        let (new, group) = (broken & !state.broken, self.group(agent));
        let known = state.broken | new;
        let breaks_no_other = |(other, at): (usize, &At)| {
            let body = self.context.program.agents[other].body as usize;
            let may = self.may[body][at.node as usize];
            let rules = if self.group(other) == group { may.near } else { may.ever };
            at.standing == Standing::Ended || rules & !known == 0
        };
        new.count_ones() == 1
            && self.made_alike(state)
            && state.agents.iter().enumerate().all(breaks_no_other)
    }

    /// Whether all work-items have constructed the same barriers.
    fn made_alike(&self, state: &State) -> bool {
        let mut made = state.made.chunks_exact(self.declared.max(1));
        let first = made.next();
        made.all(|other| Some(other) == first)
    }
}
