//! Operations that must be complete when a CTA ends: copies that access its shared memory, and operations of other CTAs on
//! it.

use super::Machine;
use super::memory::{Event, Groups, Kind, Who, copy_of};
use super::node::action_of;
use super::state::{Copy, State};
use crate::mem::operation::{Range, Space};
use crate::operation::Action as Any;
use crate::program::Node;
use crate::program::successors;
use crate::ptx::action::{Action, Place};
use crate::ptx::async_copy::outstanding_at_exit;
use crate::ptx::cluster::exited_cta;
use alloc::vec::Vec;

impl Machine {
    /// Whether the program names objects or accesses memory of other CTAs.
    pub(super) fn is_remote(&self) -> bool {
        self.context.operations().any(|(agent, _, operation)| match operation.action {
            Any::Ptx(action, _) => {
                action.ranks().is_some()
                    || action.name().is_some_and(|name| name.place != Place::Own)
            }
            action => self.other_cta(agent, action).is_some(),
        })
    }

    /// The other CTA whose shared memory an agent loads from or stores into.
    fn other_cta(&self, agent: usize, action: Any) -> Option<u32> {
        let Any::Memory(memory) = action else { return None };
        let (read, write) = memory.accesses();
        let buffers = &self.context.program.buffers;
        let owner = buffers.get(usize::from(read.or(write)?.buffer))?.owner;
        owner.filter(|&cta| cta != self.cta(agent))
    }

    /// The same for the operation of a node.
    pub(super) fn reaches(&self, agent: usize, node: &Node) -> Option<u32> {
        let Node::Operation { operation, .. } = node else { return None };
        self.remote.then(|| self.other_cta(agent, operation.action)).flatten()
    }

    /// Breaks the rule on CTAs that have exited if the next operation of an agent accesses the memory of one. The path
    /// continues, so that the races that follow are found, too.
    pub(super) fn check_exited(&self, state: &mut State, agent: usize) {
        let cta = self.node(state, agent).and_then(|node| self.reaches(agent, node));
        let ended = self.law.text && cta.is_some_and(|cta| self.has_ended(state, cta));
        if let Err(rule) = exited_cta::check(ended) {
            state.break_rule(rule);
        }
    }

    /// Whether the only operations on memory of other CTAs are loads. One after the exit of that CTA reads whatever the memory
    /// then holds, and it damages nothing.
    #[must_use]
    pub fn only_loads_remotely(&self) -> bool {
        self.remote
            && self.context.operations().all(|(agent, _, operation)| match operation.action {
                Any::Ptx(action, _) => {
                    action.ranks().is_none()
                        && action.name().is_none_or(|name| name.place == Place::Own)
                }
                Any::Memory(memory) => {
                    memory.accesses().1.is_none()
                        || self.other_cta(agent, operation.action).is_none()
                }
                _ => true,
            })
    }

    /// Whether every agent of a CTA has ended.
    pub(super) fn has_ended(&self, state: &State, cta: u32) -> bool {
        self.in_cta(cta).all(|agent| state.agents[agent].ended)
    }

    /// Whether every other agent of the CTA has ended.
    fn is_last(&self, state: &State, agent: usize) -> bool {
        self.in_cta(self.cta(agent)).all(|other| other == agent || state.agents[other].ended)
    }

    fn is_shared(&self, range: Range) -> bool {
        let buffer = self.context.program.buffers.get(usize::from(range.buffer));
        buffer.is_some_and(|buffer| buffer.space == Space::Local)
    }

    /// The CTAs whose shared memory a copy in flight accesses.
    pub(super) fn touched(&self, copy: &Copy) -> [Option<u32>; 2] {
        if copy.left.is_none() {
            return [None; 2];
        }
        let agent = copy.agent as usize;
        let reads = match action_of(&self.context.program.body_of(agent).nodes[copy.node as usize])
        {
            Some(Action::Copy { from: Some(from), .. }) => self.is_shared(from),
            _ => false,
        };
        [Some(self.named(copy.object as usize).1), reads.then(|| self.cta(agent))]
    }

    /// The copies, by agent and node, that no agent can wait for after an agent ends: its groups of bulk copies and, if it is
    /// the last of its CTA, all copies in flight there.
    #[must_use]
    pub fn outstanding(&self, state: &State, agent: usize) -> Vec<(usize, u32)> {
        let cta = Some(self.cta(agent));
        let last = self.is_last(state, agent);
        let flying = state.copies.iter().filter(|copy| last && self.touched(copy).contains(&cta));
        let mut found: Vec<(usize, u32)> =
            flying.map(|copy| (copy.agent as usize, copy.node)).collect();
        if let Some(memory) = &state.memory {
            let Groups { open, groups, .. } = &memory.groups[agent][1];
            let reads = |event: &&Event| {
                let source = memory.made.iter().find(|made| made.who == Who::Copy(**event));
                **event & 3 == Kind::Read as u64
                    && source.is_some_and(|made| self.is_shared(made.range))
                    && !memory.clocks[agent].knows(**event)
            };
            found.extend(groups.iter().flatten().chain(open).filter(reads).copied().map(copy_of));
        }
        found
    }

    /// Breaks the rule on outstanding copies if an agent ends before they complete. The path continues, so that its other
    /// findings do not depend on when the agent ends.
    pub(super) fn check_outstanding(&self, state: &mut State, agent: usize) {
        if self.law.text
            && let Err(rule) = outstanding_at_exit::check(self.outstanding(state, agent).len())
        {
            state.broken |= rule.bit();
        }
    }

    /// Whether no copy in flight and no operation of another CTA depends on when the CTA of an agent ends.
    pub(super) fn leaves_quietly(&self, state: &State, agent: usize) -> bool {
        if !self.law.text || !self.is_last(state, agent) {
            return true;
        }
        let cta = self.cta(agent);
        let in_flight = state.copies.iter().any(|copy| self.touched(copy).contains(&Some(cta)));
        let reached = self.remote && self.can_be_reached(state, cta);
        !in_flight && !reached
    }

    /// Whether an agent of another CTA can reach an operation on an object of this CTA.
    fn can_be_reached(&self, state: &State, cta: u32) -> bool {
        (0..state.agents.len()).any(|agent| {
            let at = &state.agents[agent];
            let nodes = &self.context.program.body_of(agent).nodes;
            let (mut seen, mut open) = (alloc::vec![false; nodes.len()], alloc::vec![at.node]);
            while let Some(node) = open.pop().filter(|_| !at.ended && self.cta(agent) != cta) {
                if core::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                let node = &nodes[node as usize];
                let objects = action_of(node).into_iter();
                let mut objects = objects.flat_map(|action| self.objects(agent, action));
                if objects.any(|(object, _)| self.named(object).1 == cta)
                    || self.reaches(agent, node) == Some(cta)
                {
                    return true;
                }
                open.extend(successors(node));
            }
            false
        })
    }
}
