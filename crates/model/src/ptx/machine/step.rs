//! One step of one agent or of one copy in flight.

use super::Machine;
use super::mbarriers::count_of;
use super::node::action_of;
use super::node::is_idle;
use super::state::{Held, State};
use crate::program::Node;
use crate::ptx::action::{Action, Patience, Queue};
use crate::rule::RuleId;

/// The outcome of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The phase is complete.
    Pass,
    /// The phase is not complete.
    Fail,
}

impl Machine {
    /// Agents and copies in flight.
    #[must_use]
    pub fn actors(&self, state: &State) -> usize {
        state.agents.len() + state.copies.len()
    }

    /// The number of outcomes of the next step of an agent or a copy; 0 if it cannot be performed.
    #[must_use]
    pub fn ways(&self, state: &State, actor: usize) -> usize {
        if state.stopped {
            return 0;
        }
        let Some(copy) = actor.checked_sub(state.agents.len()) else {
            return self.agent_ways(state, actor);
        };
        self.copy_ways(state, copy)
    }

    fn agent_ways(&self, state: &State, agent: usize) -> usize {
        let Some(node) = self.node(state, agent) else { return 0 };
        if state.agents[agent].held != Held::Free || agent > 0 && self.host_chooses(state) {
            return 0;
        }
        match node {
            Node::Choose { next } => next.len(),
            Node::Divergent | Node::End => 1,
            Node::Operation { .. } => match action_of(node) {
                Some(Action::Wait { .. }) => self.wait_ways(state, agent).len(),
                Some(Action::Compare { register, .. }) => {
                    if count_of(state, agent, register).is_some() { 1 } else { 2 }
                }
                Some(Action::ClusterWait { .. }) => {
                    usize::from(Self::may_wait_for_cluster(state, agent))
                }
                _ => 1,
            },
        }
    }

    /// Whether the host has not yet chosen its arguments. No path of a body leads back to its first node then.
    fn host_chooses(&self, state: &State) -> bool {
        self.context.program.host_chooses && state.agents[0].node == 0
    }

    /// The outcomes of the next wait of an agent. A wait that fails in a loop without an effect is not a step: the agent is
    /// blocked. A wait that may fail spuriously has both outcomes if failure leads elsewhere.
    pub(super) fn wait_ways(&self, state: &State, agent: usize) -> &'static [Way] {
        let Some(Action::Wait { patience, .. }) = self.node(state, agent).and_then(action_of)
        else {
            return &[];
        };
        let passes = self.passes(state, agent, state.agents[agent].node).unwrap_or(true);
        match (patience, passes) {
            (Patience::Block, false) => &[],
            (Patience::Block | Patience::Test, true) => &[Way::Pass],
            (Patience::Try, true) if self.spins(agent, state.agents[agent].node) => &[Way::Pass],
            (Patience::Try, true) => &[Way::Pass, Way::Fail],
            (Patience::Test | Patience::Try, false) if self.polls(state, agent) => &[],
            (Patience::Test | Patience::Try, false) => &[Way::Fail],
        }
    }

    /// Whether failure leads back only to the same wait.
    fn spins(&self, agent: usize, node: u32) -> bool {
        self.facts_of(agent).spins[node as usize]
    }

    /// Whether an agent polls in a loop without an effect, all of whose waits fail.
    fn polls(&self, state: &State, agent: usize) -> bool {
        let start = state.agents[agent].node;
        let nodes = &self.context.program.body_of(agent).nodes;
        let mut at = start;
        for _ in 0..nodes.len() {
            let Node::Operation { next, .. } = &nodes[at as usize] else { return false };
            match action_of(&nodes[at as usize]) {
                Some(Action::Wait { patience: Patience::Block, .. }) => return false,
                Some(Action::Wait { .. }) => {
                    if self.passes(state, agent, at).unwrap_or(true) {
                        return false;
                    }
                }
                Some(_) if is_idle(&nodes[at as usize]) => {}
                _ => return false,
            }
            at = next[0];
            if at == start {
                return true;
            }
        }
        // The loop does not contain its entry node, so one step leads into it.
        false
    }

    /// Performs the next step of an agent or a copy, which must be one of [`Machine::ways`].
    #[must_use]
    pub fn perform(&self, state: &State, actor: usize, way: usize) -> State {
        let mut next = state.clone();
        self.advance(&mut next, actor, way);
        next
    }

    /// The same on the state itself.
    pub(super) fn advance(&self, state: &mut State, actor: usize, way: usize) {
        match actor.checked_sub(state.agents.len()) {
            Some(copy) => self.perform_copy(state, copy, way),
            None => self.perform_agent(state, actor, way),
        }
    }

    fn perform_agent(&self, state: &mut State, agent: usize, way: usize) {
        let Some(node) = self.node(state, agent) else { return };
        match node {
            Node::Choose { .. } if self.host_chooses(state) => {
                for at in 0..state.agents.len() {
                    if let Some(Node::Choose { next }) = self.node(state, at) {
                        state.agents[at].node = next[way.min(next.len() - 1)];
                    }
                }
            }
            Node::Choose { next } => state.agents[agent].node = next[way.min(next.len() - 1)],
            Node::Divergent => state.break_rule(RuleId::PtxBarAligned),
            Node::End => self.end(state, agent),
            Node::Operation { next, .. } => {
                let next = *next;
                let action = action_of(node).unwrap_or(Action::Nothing);
                match self.operate(state, agent, action, way) {
                    Ok(outcome) => {
                        if state.agents[agent].held == Held::Free {
                            self.go_to(state, agent, next[outcome]);
                        }
                        self.settle_bars(state, agent);
                    }
                    Err(rule) => state.stop(rule),
                }
            }
        }
    }

    /// Moves an agent to a node and forgets the tokens that are not read from there on.
    pub(super) fn go_to(&self, state: &mut State, agent: usize, node: u32) {
        let at = &mut state.agents[agent];
        at.node = node;
        if at.tokens.is_empty() {
            return;
        }
        let live = self.facts_of(agent).tokens[node as usize];
        for (register, token) in at.tokens.iter_mut().enumerate().take(64) {
            if live >> register & 1 == 0 {
                *token = None;
            }
        }
        let length = at.tokens.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        at.tokens.truncate(length);
    }

    /// Performs an operation; returns its outcome, or the rule that ends the path.
    fn operate(
        &self,
        state: &mut State,
        agent: usize,
        action: Action,
        way: usize,
    ) -> Result<usize, RuleId> {
        match action {
            Action::Wait { .. } => {
                let passes = self.wait_ways(state, agent).get(way) == Some(&Way::Pass);
                return self.wait(state, agent, passes);
            }
            Action::Bar { .. } | Action::ClusterArrive { .. } | Action::ClusterWait { .. } => {
                self.come(state, agent)?;
            }
            Action::WarpSync { mask } => self.warp_sync(state, agent, mask)?,
            Action::PendingCount { token, register } => {
                self.pending_count(state, agent, token, register)?;
            }
            Action::Compare { register, least } => {
                return Ok(match count_of(state, agent, register) {
                    Some(count) => usize::from(count >= least),
                    None => way,
                });
            }
            Action::FenceInit => Self::fence_inits(state, agent),
            Action::Fence { release, acquire, cluster } => {
                Self::fence(state, agent, (release, acquire, cluster));
            }
            Action::Commit { queue } => Self::commit(state, agent, queue),
            Action::WaitGroup { queue, most, read } => {
                Self::wait_group(state, agent, (queue, most, read));
            }
            Action::Tensor { reads, pair, alone } => {
                self.tensor_starts(state, agent, reads, pair);
                if alone {
                    Self::commit(state, agent, Queue::Tensor);
                }
            }
            Action::Nothing => {
                self.check_exited(state, agent);
                self.access(state, agent);
            }
            _ => self.modify(state, agent, action)?,
        }
        Ok(0)
    }

    /// The end of an agent.
    fn end(&self, state: &mut State, agent: usize) {
        self.check_outstanding(state, agent);
        state.agents[agent].ended = true;
        state.agents[agent].tokens.clear();
        self.check_gathering(state, agent);
        self.settle_bars(state, agent);
        self.settle_warp(state, agent);
        self.settle_cluster(state, agent);
        if self.law.text && self.in_cta(self.cta(agent)).all(|other| state.agents[other].ended) {
            self.check_leftover(state, agent);
        }
    }
}

impl State {
    /// Breaks a rule after which the state is still defined.
    pub(super) fn break_rule(&mut self, rule: RuleId) {
        self.broken |= rule.bit();
        self.stopped |= rule.ends_paths();
    }

    /// Breaks a rule after which behaviour is undefined.
    pub(super) fn stop(&mut self, rule: RuleId) {
        self.broken |= rule.bit();
        self.stopped = true;
    }
}
