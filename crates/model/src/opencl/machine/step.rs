//! Steps: total pure functions from one state to the next.

use super::Machine;
use super::state::{Split, Standing, State};
use crate::mem::operation::Memory;
use crate::opencl::action::Action;
use crate::operation;
use crate::program::Node;

impl Machine {
    /// The number of outcomes of the next step of an agent: 0 if it waits or has ended, several at a `choose`.
    #[must_use]
    pub fn ways(&self, state: &State, agent: usize) -> usize {
        if state.stopped || state.agents[agent].standing != Standing::Going {
            return 0;
        }
        if agent > 0 && self.host_chooses(state) {
            return 0;
        }
        match self.node(state, agent) {
            Some(Node::Choose { next }) => next.len(),
            Some(node) => match action_awaits(node) {
                true => usize::from(state.agents[agent].split != Split::Arrived),
                false => 1,
            },
            None => 0,
        }
    }

    /// Performs the next step of an agent with an outcome that [`Self::ways`] allows.
    #[must_use]
    pub fn perform(&self, state: &State, agent: usize, way: usize) -> State {
        self.advanced(state.clone(), agent, way)
    }

    /// A state after a step.
    pub(super) fn advanced(&self, mut state: State, agent: usize, way: usize) -> State {
        self.advance(&mut state, agent, way);
        state
    }

    /// The same on the state itself.
    pub(super) fn advance(&self, state: &mut State, agent: usize, way: usize) {
        match self.node(state, agent) {
            Some(Node::Operation { operation, .. }) => self.operate(state, agent, operation.action),
            Some(Node::Choose { .. }) if self.host_chooses(state) => self.launch(state, way),
            Some(Node::Choose { next: ways }) => {
                state.agents[agent].node = ways.get(way).copied().unwrap_or_default();
            }
            Some(Node::Divergent | Node::End) => self.end(state, agent),
            None => {}
        }
    }

    /// Whether the host has not yet chosen its arguments. No path of a body leads back to its first node in that case.
    #[must_use]
    pub fn host_chooses(&self, state: &State) -> bool {
        self.context.program.host_chooses && state.agents[0].node == 0
    }

    /// The host passes its arguments to all work-items.
    fn launch(&self, state: &mut State, way: usize) {
        for agent in 0..state.agents.len() {
            if let Some(Node::Choose { next }) = self.node(state, agent) {
                state.agents[agent].node = next.get(way).copied().unwrap_or_default();
            }
        }
    }

    fn operate(&self, state: &mut State, agent: usize, action: operation::Action) {
        match action {
            operation::Action::Opencl(action) if action.gathers() => {
                return self.come(state, agent, action);
            }
            operation::Action::Opencl(Action::Construct { object, count, at }) => {
                self.construct(state, agent, object, (at, count));
            }
            operation::Action::Opencl(Action::Arrive { arguments, at }) => {
                self.arrive(state, agent, arguments, at);
            }
            operation::Action::Opencl(Action::Await { arguments, at }) => {
                self.wait(state, agent, arguments, at);
            }
            operation::Action::Memory(Memory::Fence(fence)) => self.fence(state, agent, fence),
            operation::Action::Memory(memory) => self.access(state, agent, memory),
            _ => {}
        }
        self.go_on(state, agent);
    }

    /// Advances an agent past its current operation.
    pub(super) fn go_on(&self, state: &mut State, agent: usize) {
        if let Some(Node::Operation { next, .. }) = self.node(state, agent) {
            let next = next[0];
            state.agents[agent].node = next;
            state.agents[agent].standing = Standing::Going;
        }
    }

    /// Ends a work-item, which no other work-item can then wait for.
    fn end(&self, state: &mut State, agent: usize) {
        state.agents[agent].standing = Standing::Ended;
        self.leave_others(state, agent);
        self.leave_split(state, agent);
        self.leave_named(state, agent);
        self.forget_of(state, Some(agent));
    }
}

/// Whether a node waits at a split barrier.
fn action_awaits(node: &Node) -> bool {
    matches!(super::action_of(node), Some(Action::Await { .. }))
}
