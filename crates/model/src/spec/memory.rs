//! Memory in the exploration: happens-before and races.
//!
//! No barrier depends on memory, so memory operations never change the set of executions: each commutes with every step of
//! the other agents. The second of two conflicting accesses in an interleaving finds the same race in either order. A state
//! therefore stores only accesses that a later access can race with. Accesses are *tokens*: those of one agent to one
//! address space between two of its release fences, or one asynchronous copy (in revision v2, those between two marks). Of
//! a repeated node, only the latest access is stored: what orders it orders all earlier ones. Copies are separate actors:
//! operations that happen before the start of a copy happen before the copy. The copy happens before nothing until a wait
//! completes it.
//!
//! Removal is sound because only conflicting accesses read a token. A token is removed when no agent that does not know of
//! it has a conflicting access ahead.

use super::Spec;
use super::choice::{Known, indices};
use super::state::{Lack, State, Stop};
use super::tracking::Tracking;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::mem::map::{Map, accesses};
use crate::mem::operation::{Access, Fence, Memory, Space};
use crate::mem::order::{Ordered, Tokens, reach};
use crate::mem::outstanding::{Counts, Flight, Outstanding, Token};
use crate::operation::{Action, Form, Mnemonic};
use crate::program::{Node, NodeId};
use crate::reading::ReadingId;
use crate::rule::RuleId;
use crate::target::{Family, Target};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The cost of deciding whether an agent can conflict with an access.
const LOOKS_PER_ACCESS: u64 = 3;

/// An access that the next step of an agent would race with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// The other agent.
    pub agent: usize,
    /// The node of its access.
    pub node: NodeId,
    /// Whether either access is an asynchronous copy's.
    pub copy: bool,
}

impl Spec {
    /// The same program on a target. Counters are tracked if `s_barrier` must not be issued with outstanding memory operations.
    #[must_use]
    pub fn on(&self, target: &Target) -> Self {
        let here = Self { target: Some(*target), ..self.clone() };
        let Family::Amdgpu { major, .. } = target.family else { return here };
        let program = &self.context.program;
        let mut operations = self.context.operations();
        let bare =
            operations.any(|(_, _, operation)| operation.form == Form::Machine(Mnemonic::SBarrier));
        if target.back_off_barrier || target.split_barriers || !bare {
            return here;
        }
        let known = self.memory.as_deref().cloned();
        let tracking = known.unwrap_or_else(|| Tracking::new(program, None));
        let tracking = Tracking { counting: Some(major == 6), ..tracking };
        Self { memory: Some(Rc::new(tracking)), ..here }
    }

    /// The same program with every call inlined.
    #[must_use]
    pub fn inlined(&self) -> Self {
        let inlined =
            |tracking: &Rc<Tracking>| Rc::new(Tracking { inlined: true, ..(**tracking).clone() });
        Self { memory: self.memory.as_ref().map(inlined), ..self.clone() }
    }

    /// Whether every call counts as inlined.
    #[must_use]
    pub fn is_inlined(&self) -> bool {
        self.memory.as_deref().is_some_and(|tracking| tracking.inlined)
    }

    /// Whether the wait that completes a copy orders it (reading `async.v1-v2`).
    #[must_use]
    pub fn orders_at_wait(&self) -> bool {
        self.usual(ReadingId::AsyncV1V2)
    }

    /// Whether the next step of an agent is an operation on memory.
    pub(super) fn is_on_memory(&self, state: &State, agent: usize) -> bool {
        matches!(self.node(state, agent), Some(Node::Operation { operation, .. }) if matches!(operation.action, Action::Memory(_)))
    }

    /// An operation on memory.
    pub(super) fn on_memory(&self, state: &mut State, agent: usize, operation: Memory) {
        let Some(tracking) = self.memory.as_deref() else { return };
        let node = state.agents[agent].node;
        match operation {
            Memory::Load(_) | Memory::Store(_) | Memory::Copy { .. } => {
                self.access(tracking, state, agent, node, operation)
            }
            Memory::Fence(fence) => tracking.fence(state, agent, fence),
            Memory::Wait(waits) => state.flight(agent, |flight| flight.counts.wait(waits)),
            Memory::Mark => {
                let useful = tracking.useful_at(self, agent, node);
                state.flight(agent, |flight| flight.sequence.mark(useful));
                state.outstanding(|all| all.close(agent, |token| token.copy));
            }
            Memory::WaitMarks(most) => self.wait_marks(state, agent, most),
            Memory::Enter if !tracking.inlined => {
                state.flight(agent, |flight| flight.sequence.enter())
            }
            Memory::Leave if !tracking.inlined => {
                state.flight(agent, |flight| flight.sequence.leave())
            }
            Memory::Enter | Memory::Leave => {}
        }
    }

    /// The accesses that the next step of an agent would race with, under every choice (`true`) or under some.
    #[must_use]
    pub fn races(&self, state: &State, agent: usize, every: bool) -> Vec<Conflict> {
        let Some(map) = self.memory.as_deref().and_then(|tracking| tracking.map.as_deref()) else {
            return Vec::new();
        };
        let (Some(Node::Operation { operation, .. }), Some(all)) =
            (self.node(state, agent), state.memory.as_deref())
        else {
            return Vec::new();
        };
        let own: Vec<Access> = accesses(operation.action).collect();
        let at = state.agents[agent].node;
        let over = self.overlapped(map, all, agent, at);
        let unordered =
            |known: &Known| !(known.ordered.as_ref().map_or(0, |ordered| ordered.known) | over);
        let sets = state.choices.iter().map(|choice| unordered(&choice.agents[agent].known));
        let unordered = if every {
            sets.fold(!0, |all, set| all & set)
        } else {
            sets.fold(0, |any, set| any | set)
        };
        let copy = matches!(operation.action, Action::Memory(Memory::Copy { .. }));
        let mut found = Vec::new();
        for token in indices(unordered).filter_map(|index| all.tokens.get(index)) {
            let meets = |node: &&NodeId| conflicting(map, token, **node, (agent, at), &own);
            found.extend(token.nodes.iter().filter(meets).map(|&node| Conflict {
                agent: token.agent,
                node,
                copy: copy || token.copy,
            }));
        }
        found.sort_unstable();
        found
    }

    /// An access, or the start of a copy.
    fn access(
        &self,
        tracking: &Tracking,
        state: &mut State,
        agent: usize,
        node: NodeId,
        operation: Memory,
    ) {
        let own: Vec<Access> = accesses(Action::Memory(operation)).collect();
        let is_copy = matches!(operation, Memory::Copy { .. });
        if let Some(export) = tracking.counting {
            let spaces = |access: &Access| (self.space_of(*access), access.write);
            let what: Vec<(Space, bool)> = own.iter().map(spaces).collect();
            state.flight(agent, |flight| count(&mut flight.counts, is_copy, &what, export));
        }
        if is_copy {
            state.flight(agent, |flight| flight.sequence.copy(node));
        }
        let (Some(map), Some(all)) = (tracking.map.as_deref(), state.memory.as_deref_mut()) else {
            return;
        };
        let over = self.overlapped(map, all, agent, node);
        let met = all.select(|token| {
            token.nodes.iter().any(|&other| conflicting(map, token, other, (agent, node), &own))
        });
        let copies = if is_copy { !0 } else { all.select(|token| token.copy) };
        for choice in &mut state.choices {
            let ordered = choice.agents[agent].known.ordered.get_or_insert_default();
            if !is_copy {
                ordered.known |= over;
            }
            let raced = met & !(ordered.known | over);
            choice.broken |= if raced & copies != 0 { RuleId::AsyncRace.bit() } else { 0 };
            choice.broken |= if raced & !copies != 0 { RuleId::MemRace.bit() } else { 0 };
        }
        all.repeat(agent, node);
        if !is_copy {
            all.flights[agent].done &= !over;
        }
        let alone = is_copy && !self.usual(ReadingId::AsyncV1V2);
        let mut spaces: Vec<Space> = own.iter().map(|access| map.space(*access)).collect();
        spaces.dedup();
        for space in spaces {
            let Some(index) = all.add(agent, is_copy, space, node, alone) else {
                return state.stop = Some(Stop::Overflow(Lack::Accesses));
            };
            if is_copy {
                all.tokens[index].under |= over;
            } else {
                state
                    .choices
                    .iter_mut()
                    .for_each(|choice| choice.agents[agent].known.knows(1 << index));
            }
        }
    }

    /// Revision v1: completed copies of the agent that overlap its next operation, and the tokens under them.
    fn overlapped(&self, map: &Map, all: &Outstanding, agent: usize, node: NodeId) -> Tokens {
        let done = all.flights[agent].done;
        if done == 0 {
            return 0;
        }
        let both = [Space::Local, Space::Global];
        let at = |node: NodeId| both.into_iter().flat_map(move |space| map.at(agent, node, space));
        let overlaps = |&other: &NodeId| {
            at(other).any(|other| at(node).any(|own| own.range.overlaps(other.range)))
        };
        let over = indices(done).filter(|&index| all.tokens[index].nodes.iter().any(overlaps));
        all.with_under(over.fold(0, |set, index| set | 1 << index))
    }

    fn space_of(&self, access: Access) -> Space {
        let buffers = &self.context.program.buffers;
        buffers.get(usize::from(access.range.buffer)).map_or(Space::Global, |buffer| buffer.space)
    }

    /// `wait.asyncmark`: the copies that it completes happen before it in revision v2; in v1 they can be ordered from now on.
    fn wait_marks(&self, state: &mut State, agent: usize, most: u16) {
        let Some(all) = state.memory.as_deref_mut() else { return };
        let completed = all.flights[agent].sequence.wait(most);
        let left = all.flights[agent].sequence.copies().min(63) as u8;
        let counts = &mut all.flights[agent].counts;
        counts.copies = counts.copies.min(left);
        let tokens = completed.iter().fold(0, |set, &node| set | all.of(agent, node));
        let tokens = tokens & all.select(|token| token.copy);
        if self.usual(ReadingId::AsyncV1V2) {
            state.choices.iter_mut().for_each(|choice| choice.agents[agent].known.knows(tokens));
        } else {
            all.flights[agent].done |= tokens;
        }
    }

    /// An *arrive* publishes what its agent has released; a plain `s_barrier` may require zero counters.
    pub(super) fn arrives(
        &self,
        state: &mut State,
        agent: usize,
        instance: InstanceId,
        form: Form,
    ) {
        let Some(tracking) = self.memory.as_deref() else { return };
        if instance != NO_INSTANCE {
            for choice in &mut state.choices {
                if let Some(ordered) = &mut choice.agents[agent].known.ordered {
                    ordered.arrive(tracking.seats[agent], tracking.furthest);
                }
            }
        }
        let outstanding = |all: &Outstanding| !all.flights[agent].counts.are_zero();
        if tracking.counting.is_some()
            && form == Form::Machine(Mnemonic::SBarrier)
            && state.memory.as_deref().is_some_and(outstanding)
        {
            state.break_rule(RuleId::AmdBarrierOutstandingMemory, false);
        }
    }

    /// Removes what an agent has in flight and none of its later steps can distinguish.
    pub(super) fn after_memory(&self, state: &mut State, agent: usize) {
        let (Some(tracking), Some(all)) = (self.memory.as_deref(), state.memory.as_deref_mut())
        else {
            return;
        };
        let flight = &mut all.flights[agent];
        if state.agents[agent].ended {
            *flight = Flight::default();
        } else if !flight.sequence.is_idle() {
            flight.sequence.trim(tracking.useful_at(self, agent, state.agents[agent].node));
        }
    }

    /// Forgets tokens that no later access can race with, and puts the others into canonical order.
    pub(super) fn forget_memory(&self, state: &mut State) {
        let Some(tracking) = self.memory.as_deref() else { return };
        let Some(map) = tracking.map.as_deref() else { return };
        if let Some(mut all) = state.memory.take() {
            if !all.tokens.is_empty() {
                self.forget_tokens(map, state, &mut all);
                self.merge_tokens(state, &mut all);
            }
            state.memory = Some(all);
        }
        state.sort_tokens();
        if tracking.counting.is_none() {
            state.outstanding(Outstanding::forget_copies);
        }
    }

    fn forget_tokens(&self, map: &Map, state: &mut State, all: &mut Outstanding) {
        let mut wanted = alloc::vec![0; all.tokens.len()];
        let alive: Vec<usize> =
            (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended).collect();
        let known = |agent: usize| {
            state
                .choices
                .iter()
                .fold(!0, |every: Tokens, choice| every & choice.agents[agent].known.tokens())
        };
        let unknown: Vec<(usize, Tokens)> =
            alive.iter().map(|&agent| (agent, !known(agent))).collect();
        let nodes: usize = all.tokens.iter().map(|token| token.nodes.len()).sum();
        self.context.work.add(LOOKS_PER_ACCESS * (nodes * unknown.len()) as u64);
        let may_conflict = |token: &Token, classes: &[usize], agent: usize| {
            let body = self.context.program.agents[agent].body;
            let ahead = |&class: &usize| map.is_ahead(class, body, state.agents[agent].node);
            (token.copy || token.agent != agent)
                && map.shares(token.agent, agent, token.space)
                && classes.iter().any(ahead)
        };
        for (index, token) in all.tokens.iter_mut().enumerate() {
            let (agent, copy, space) = (token.agent, token.copy, token.space);
            let shape = Token { agent, copy, space, nodes: Vec::new(), open: false, under: 0 };
            token.nodes.retain(|&node| {
                let accesses = map.at(agent, node, space);
                let classes: Vec<usize> = accesses.filter_map(|access| map.class(access)).collect();
                let by = unknown.iter().filter(|(other, set)| {
                    set >> index & 1 == 1 && may_conflict(&shape, &classes, *other)
                });
                let by = by.fold(0_u128, |set, (other, _)| set | 1 << (other % 128));
                wanted[index] |= by;
                by != 0
            });
        }
        // A token has no effect under a choice in which all agents that can conflict with it know of it.
        for choice in &mut state.choices {
            let lacking = |index: usize| {
                alive.iter().any(|&agent| {
                    wanted[index] >> (agent % 128) & 1 == 1
                        && choice.agents[agent].known.tokens() >> index & 1 == 0
                })
            };
            let gone = (0..all.tokens.len())
                .filter(|&index| !lacking(index))
                .fold(0, |set: Tokens, index| set | 1 << index);
            choice.each_ordered(|ordered| ordered.each(|set| set & !gone));
            alive.iter().for_each(|&agent| choice.agents[agent].known.knows(gone));
        }
    }
}

/// Whether an access of the node of a token conflicts with an operation of an agent.
fn conflicting(
    map: &Map,
    token: &Token,
    node: NodeId,
    (agent, at): (usize, NodeId),
    own: &[Access],
) -> bool {
    (token.copy || token.agent != agent)
        && !map.alike(agent, at).excuses(map.alike(token.agent, node))
        && map.shares(token.agent, agent, token.space)
        && map
            .at(token.agent, node, token.space)
            .any(|other| own.iter().any(|access| access.conflicts(other)))
}

/// Counts an access. Copies to LDS and accesses to global memory have separate counters from accesses to LDS; on GFX6,
/// stores also count until their data is read.
fn count(counts: &mut Counts, is_copy: bool, what: &[(Space, bool)], export: bool) {
    if is_copy {
        return Counts::more(&mut counts.copies);
    }
    for &(space, write) in what {
        match space {
            Space::Local => Counts::more(&mut counts.local),
            Space::Global => Counts::more(&mut counts.vector),
        }
        if export && write && space == Space::Global {
            Counts::more(&mut counts.export);
        }
    }
}

impl Tracking {
    fn useful_at(&self, spec: &Spec, agent: usize, node: NodeId) -> Option<u16> {
        self.useful[spec.context.program.agents[agent].body as usize][node as usize]
    }

    fn fence(&self, state: &mut State, agent: usize, fence: Fence) {
        let Some(reach) = reach(fence.scope, fence.one_as, fence.spaces) else { return };
        let Some(all) = state.memory.as_deref_mut() else { return };
        let named = all.select(|token| fence.spaces.contains(token.space));
        for choice in &mut state.choices {
            let Some(ordered) = &mut choice.agents[agent].known.ordered else { continue };
            if fence.acquire {
                ordered.acquire(self.seats[agent], reach, named);
            }
            if fence.release {
                ordered.release(reach, named);
            }
        }
        if fence.release {
            all.close(agent, |token| !token.copy && fence.spaces.contains(token.space));
        }
    }
}

impl Known {
    /// The tokens that happen before this point.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.ordered.as_ref().map_or(0, |ordered| ordered.known)
    }

    fn knows(&mut self, tokens: Tokens) {
        if tokens != 0 {
            self.ordered.get_or_insert_default().known |= tokens;
        }
    }
}

impl super::choice::Choice {
    fn each_ordered(&mut self, change: impl Fn(&mut Ordered)) {
        let Self { agents, phases, .. } = self;
        for known in agents.iter_mut().map(|standing| &mut standing.known).chain(phases) {
            if let Some(ordered) = &mut known.ordered {
                change(ordered);
                if ordered.is_empty() {
                    known.ordered = None;
                }
            }
        }
    }
}

impl State {
    fn outstanding(&mut self, change: impl FnOnce(&mut Outstanding)) {
        if let Some(all) = self.memory.as_deref_mut() {
            change(all);
        }
    }

    fn flight(&mut self, agent: usize, change: impl FnOnce(&mut Flight)) {
        self.outstanding(|all| change(&mut all.flights[agent]));
    }

    /// Drops tokens without nodes and sorts the others.
    fn sort_tokens(&mut self) {
        let Some(all) = self.memory.as_deref_mut() else { return };
        let mut order: Vec<usize> =
            (0..all.tokens.len()).filter(|&index| !all.tokens[index].nodes.is_empty()).collect();
        order.sort_by(|&a, &b| all.tokens[a].cmp(&all.tokens[b]));
        if order.len() == all.tokens.len()
            && order.iter().enumerate().all(|(index, &old)| index == old)
        {
            return;
        }
        let renumber = |set: Tokens| {
            let kept = |&(_, &old): &(usize, &usize)| set >> old & 1 == 1;
            order
                .iter()
                .enumerate()
                .filter(kept)
                .fold(0, |new: Tokens, (index, _)| new | 1 << index)
        };
        all.tokens.iter_mut().for_each(|token| token.under = renumber(token.under));
        all.flights.iter_mut().for_each(|flight| flight.done = renumber(flight.done));
        all.tokens = order.iter().map(|&old| all.tokens[old].clone()).collect();
        self.choices
            .iter_mut()
            .for_each(|choice| choice.each_ordered(|ordered| ordered.each(renumber)));
    }

    /// Reorders the agents of tokens and flights: `order[new]` is the old index.
    pub(super) fn permute_memory(&mut self, order: &[usize]) {
        self.outstanding(|all| {
            let mut place = alloc::vec![0; order.len()];
            order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
            all.tokens.iter_mut().for_each(|token| token.agent = place[token.agent]);
            all.flights = order.iter().map(|&old| core::mem::take(&mut all.flights[old])).collect();
        });
        self.sort_tokens();
    }
}

impl Outstanding {
    /// Copies whose tokens are gone need no wait.
    fn forget_copies(&mut self) {
        let Self { tokens, flights } = self;
        for (agent, flight) in flights.iter_mut().enumerate() {
            let kept = |node: NodeId| {
                tokens.iter().any(|token| {
                    token.copy && token.agent == agent && token.nodes.binary_search(&node).is_ok()
                })
            };
            flight.sequence.forget(kept);
        }
    }
}
