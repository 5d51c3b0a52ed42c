//! Accesses of work-items to memory, and their races: see `memory.rs`.

use super::Machine;
use super::memory::{Channel, Memory, Token};
use super::state::{Standing, State};
use crate::bitset::BitSet;
use crate::mem::map::{LARGE, accesses};
use crate::mem::operation::{Access, Fence, Memory as Operation, Range, Scope, Space};
use crate::opencl::action::{Arguments, Flags, Reach};
use crate::operation::{Action, Alike};
use crate::program::Node;
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The scope of a fence in the words of the model.
fn reach_of(fence: Fence) -> Option<Reach> {
    match fence.scope {
        _ if fence.one_as => None,
        Scope::Wavefront => Some(Reach::SubGroup),
        _ => Some(Reach::WorkGroup),
    }
}

impl Machine {
    /// The flag that orders an access.
    fn flag(&self, access: Access) -> Flags {
        let buffer = self.context.program.buffers.get(usize::from(access.range.buffer));
        buffer.map_or(Flags::GLOBAL, |&buffer| Flags::of(buffer))
    }

    fn space(&self, access: Access) -> Space {
        let buffer = self.context.program.buffers.get(usize::from(access.range.buffer));
        buffer.map_or(Space::Global, |buffer| buffer.space)
    }

    /// Whether accesses of two agents conflict: they may share bytes, and one writes.
    fn conflict(&self, one: usize, own: Access, other: usize, met: Access) -> bool {
        let same = || self.group(one) == self.group(other);
        let across = || {
            self.space(own) == Space::Global
                && self.is_across(one, own)
                && self.is_across(other, met)
        };
        one != other && own.conflicts(met) && (same() || across())
    }

    /// Whether races of an access with those of other work-groups are looked for.
    fn is_across(&self, agent: usize, access: Access) -> bool {
        let part = self.context.program.part.as_ref();
        let across = part.and_then(|part| part.across.as_ref());
        across.is_none_or(|across| across.binary_search(&(agent, access)).is_ok())
    }

    /// The earlier accesses, with their agents, that race with the next access of an agent.
    #[must_use]
    pub fn races(&self, state: &State, agent: usize, operation: Operation) -> Vec<(usize, Access)> {
        let Some(memory) = state.memory.as_deref() else { return Vec::new() };
        let own: Vec<Access> = accesses(Action::Memory(operation)).collect();
        let (when, alike) = self.manner(state, agent);
        let races = |token: &&Rc<Token>| {
            let met = (token.when, token.access.range);
            let conflicts = |&own: &Access| {
                self.conflict(agent, own, token.agent, token.access)
                    && !self.context.program.exclude((when, own.range), met)
            };
            let is_apart = alike.excuses(token.alike) || token.is_known(agent);
            !is_apart && own.iter().any(conflicts)
        };
        let near = own.iter().flat_map(|access| self.near(memory, access.range));
        let mut found: Vec<_> =
            near.filter(races).map(|token| (token.agent, token.access)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Accesses among which are all that share bytes with a range.
    fn near<'m>(&self, memory: &'m Memory, range: Range) -> &'m [Rc<Token>] {
        if self.keeps {
            return &memory.tokens;
        }
        let place = |start| {
            let before = |token: &Rc<Token>| {
                (token.access.range.buffer, token.access.range.start) < (range.buffer, start)
            };
            memory.tokens.partition_point(before)
        };
        &memory.tokens[place(range.start.saturating_sub(self.longest))..place(range.end)]
    }

    /// The condition on data under which the next access of an agent happens, and whether it is atomic or made by a copy.
    fn manner(&self, state: &State, agent: usize) -> (u16, Alike) {
        match self.node(state, agent) {
            Some(Node::Operation { operation, .. }) => match operation.alike {
                alike @ (Alike::Atomic(_) | Alike::Copied) => (operation.when, alike),
                Alike::None | Alike::Store(_) => (operation.when, Alike::None),
            },
            _ => (0, Alike::None),
        }
    }

    /// A load or store.
    pub(super) fn access(&self, state: &mut State, agent: usize, operation: Operation) {
        if !self.races(state, agent, operation).is_empty() {
            state.break_rule(RuleId::MemRace);
        }
        let (when, alike) = self.manner(state, agent);
        for access in accesses(Action::Memory(operation)) {
            let (known, channels) = Default::default();
            let token = Rc::new(Token { access, agent, alike, when, known, channels });
            if self.keeps {
                // After all earlier ones, even if no agent can race with it.
                state.memory.iter_mut().for_each(|memory| memory.tokens.push(token.clone()));
                continue;
            }
            if !self.is_ahead_of(state, agent, access) {
                continue;
            }
            if let Some(memory) = &mut state.memory
                && let Err(at) = memory.tokens.binary_search(&token)
            {
                memory.tokens.insert(at, token);
            }
        }
    }

    /// Whether another agent has an access ahead that conflicts with one of an agent.
    fn is_ahead_of(&self, state: &State, agent: usize, access: Access) -> bool {
        self.is_threatened(state, agent, access, &BitSet::default())
    }

    /// Whether an agent that is not among some has an access ahead that conflicts with one of an agent.
    fn is_threatened(&self, state: &State, agent: usize, access: Access, known: &BitSet) -> bool {
        let Some(map) = self.context.memory.as_deref() else { return false };
        let Some(class) = map.class(access) else { return false };
        let group = self.in_group(self.group(agent));
        let far = self.space(access) == Space::Global && self.is_across(agent, access);
        let near = if far { 0..state.agents.len() } else { group };
        let threatens = |other: usize| {
            let at = state.agents[other];
            other != agent
                && near.contains(&other)
                && at.standing != Standing::Ended
                && map.is_ahead(class, self.context.program.agents[other].body, at.node)
        };
        // The first go first, so that the last have most ahead.
        map.rivals(class).any_except(known, threatens)
    }

    /// Removes accesses that no agent can race with.
    pub(super) fn forget(&self, state: &mut State) {
        self.forget_of(state, None);
    }

    /// Removes such accesses; with many agents, only those that this agent could have raced with.
    pub(super) fn forget_of(&self, state: &mut State, agent: Option<usize>) {
        if self.keeps {
            return;
        }
        let Some(mut memory) = state.memory.take() else { return };
        let agent = agent.filter(|_| state.agents.len() > LARGE);
        let touched = |access| match (agent, self.context.memory.as_deref()) {
            (Some(agent), Some(map)) => {
                map.meets(access, self.context.program.agents[agent].body, 0)
            }
            _ => true,
        };
        let before = memory.tokens.len();
        memory.tokens.retain(|token| {
            !touched(token.access)
                || self.is_threatened(state, token.agent, token.access, &token.known)
        });
        if agent.is_none() || memory.tokens.len() < before {
            memory.tokens.sort_unstable();
            memory.tokens.dedup();
        }
        state.memory = Some(memory);
    }

    /// A fence in the words of the model.
    pub(super) fn fence(&self, state: &mut State, agent: usize, fence: Fence) {
        let Some(reach) = reach_of(fence) else { return };
        let (at, agents) = (self.sub_group(agent), BitSet::from_iter([agent]));
        let Some(memory) = &mut state.memory else { return };
        for token in memory.tokens.iter_mut().map(Rc::make_mut) {
            if !fence.spaces.contains(self.space(token.access)) {
                continue;
            }
            if fence.acquire {
                token.acquire(&agents, at, reach);
            }
            if fence.release {
                token.release(&agents, at, reach);
            }
        }
    }

    /// The scope in which the call of an agent orders an access.
    fn reach(&self, arguments: Arguments, token: &Token) -> Option<Reach> {
        let flag = self.flag(token.access);
        arguments.reach(if token.alike == Alike::Copied { flag.and(Flags::COPIES) } else { flag })
    }

    /// Releases agents together from the barrier at which each of them is.
    pub(super) fn hand_over(&self, state: &mut State, together: &[usize]) {
        let Some(mut memory) = state.memory.take() else { return };
        let calls = together.iter().filter_map(|&agent| {
            Some((agent, self.sub_group(agent), self.action(state, agent)?.arguments()?))
        });
        let calls: Vec<(usize, usize, Arguments)> = calls.collect();
        // Work-items of a sub-group with the same call are contiguous.
        let alike = calls.chunk_by(|one, other| (one.1, one.2) == (other.1, other.2));
        let runs: Vec<(BitSet, usize, Arguments)> = alike
            .map(|run| (run.iter().map(|call| call.0).collect(), run[0].1, run[0].2))
            .collect();
        let all: BitSet = together.iter().copied().collect();
        for token in memory.tokens.iter_mut().map(Rc::make_mut) {
            for (agents, at, arguments) in &runs {
                if let Some(reach) = self.reach(*arguments, token) {
                    token.release(agents, *at, reach);
                }
            }
            for channel in token.channels.iter_mut().filter(|channel| channel.is_with(&all)) {
                channel.come.add_common(&all, &all);
            }
            for (agents, at, arguments) in &runs {
                if let Some(reach) = self.reach(*arguments, token) {
                    token.acquire(agents, *at, reach);
                }
            }
        }
        state.memory = Some(memory);
    }

    /// An arrive at the split barrier publishes what its agent has released.
    pub(super) fn arrive_with(&self, state: &mut State, agent: usize, arguments: Arguments) {
        let (at, agents) = (self.sub_group(agent), BitSet::from_iter([agent]));
        let Some(memory) = &mut state.memory else { return };
        for token in memory.tokens.iter_mut().map(Rc::make_mut) {
            if let Some(reach) = self.reach(arguments, token) {
                token.release(&agents, at, reach);
            }
            let with = token.channels.iter_mut().filter(|channel| channel.is_with(&agents));
            with.for_each(|channel| channel.open = true);
        }
    }

    /// The running phase of the split barrier of a work-group completes.
    pub(super) fn complete_split(&self, state: &mut State, group: u32) {
        let own = self.sub_groups(group);
        let Some(memory) = &mut state.memory else { return };
        let channels = memory.tokens.iter_mut().flat_map(|token| &mut Rc::make_mut(token).channels);
        for channel in channels.filter(|channel| own.contains(&channel.from)) {
            channel.done |= channel.open;
            channel.open = false;
        }
    }

    /// A wait at the split barrier acquires what the completed phases have published.
    pub(super) fn wait_with(&self, state: &mut State, agent: usize, arguments: Arguments) {
        let (at, agents) = (self.sub_group(agent), BitSet::from_iter([agent]));
        let own = self.sub_groups(self.group(agent));
        let Some(memory) = &mut state.memory else { return };
        for token in memory.tokens.iter_mut().map(Rc::make_mut) {
            let mine = |channel: &&mut Channel| channel.done && own.contains(&channel.from);
            token.channels.iter_mut().filter(mine).for_each(|channel| channel.come.insert(agent));
            if let Some(reach) = self.reach(arguments, token) {
                token.acquire(&agents, at, reach);
            }
        }
        self.forget(state);
    }
}
