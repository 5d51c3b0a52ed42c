//! Accesses of agents and copies to memory, and their races: see `memory.rs`.

use super::Machine;
use super::memory::{Clock, Event, Fenced, Knowledge, Made, Memory, Who, copy_of, events_of};
use super::node::action_of;
use super::state::State;
use crate::mem::operation::{Buffer, Memory as Access, Range, Space};
use crate::operation::{Action as Any, Alike};
use crate::program::Node;
use crate::ptx::action::{Action, Queue, Reads};
use crate::ptx::tile::{Region, Tile};
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Memory {
    /// Restarts an event at a node, which no agent then knows. A previous occurrence that is known to be complete is forgotten.
    fn starts_again(&mut self, agent: usize, event: Event) {
        if self.clocks[agent].knows(event) {
            Rc::make_mut(&mut self.made).retain(|made| made.who != Who::Copy(event));
        }
        self.forget_event(event);
    }
}

impl Machine {
    pub(super) fn initial_memory(
        &self,
        mbarriers: usize,
        bars: usize,
    ) -> Option<alloc::boxed::Box<Memory>> {
        let program = &self.context.program;
        self.tracked.then(|| {
            let clock = |agent: usize| {
                let mut times = alloc::vec![0; program.agents.len()];
                times[agent] = 1;
                Clock { times: Rc::new(times), events: Rc::default() }
            };
            let agents = program.agents.len();
            alloc::boxed::Box::new(Memory {
                clocks: (0..agents).map(clock).collect(),
                fenced: alloc::vec![Fenced::default(); agents],
                groups: alloc::vec![Default::default(); agents],
                scheduled: Vec::new(),
                objects: alloc::vec![Knowledge::default(); mbarriers],
                inits: alloc::vec![None; mbarriers],
                bars: alloc::vec![Clock::default(); bars],
                clusters: alloc::vec![Default::default(); program.launch.clusters as usize],
                made: Rc::default(),
            })
        })
    }

    /// A load, a store or a fence of an agent.
    pub(super) fn access(&self, state: &mut State, agent: usize) {
        let Some(Node::Operation { operation, .. }) = self.node(state, agent) else { return };
        let Any::Memory(access) = operation.action else { return };
        if let Access::Fence(fence) = access {
            Self::fence_of_words(state, agent, fence);
            return;
        }
        let (read, write) = match access {
            Access::Load(range) => (Some(range), None),
            Access::Store(range) => (None, Some(range)),
            _ => return,
        };
        let Some(memory) = &state.memory else { return };
        let who = Who::Agent(agent as u32, memory.clocks[agent].time(agent as u32));
        for (range, writes) in [(read, false), (write, true)] {
            if let Some(range) = range {
                let (range, owner) = self.context.program.declared(range);
                let place = self.place(owner.unwrap_or(self.cta(agent)), range);
                let alike = operation.alike;
                self.make(state, agent, Made { range, place, write: writes, alike, who });
            }
        }
    }

    /// Starts a copy, which reads, and writes in a CTA, from now on. A copy of this node that is known to be complete is
    /// forgotten.
    pub(super) fn copy_starts(
        &self,
        state: &mut State,
        agent: usize,
        action: Action,
        (events, cta): ([Event; 2], u32),
    ) {
        let Action::Copy { to, from, reduces, .. } = action else { return };
        let Some(memory) = &mut state.memory else { return };
        events.into_iter().for_each(|event| memory.starts_again(agent, event));
        for (range, event) in [(from, events[0]), (to, events[1])] {
            if let Some(range) = range {
                let write = event == events[1];
                let owner = if write { cta } else { self.cta(agent) };
                let place = self.place(owner, range);
                let alike = if write && reduces { Alike::ATOMIC } else { Alike::None };
                self.make(state, agent, Made { range, place, write, alike, who: Who::Copy(event) });
            }
        }
    }

    /// Starts a tensor core operation, which reads from now on in its own CTA and, with `pair`, in the other CTA of the pair.
    /// An agent that observes the commit learns what the starting agent knows here.
    pub(super) fn tensor_starts(
        &self,
        state: &mut State,
        agent: usize,
        reads: [Reads; 2],
        pair: bool,
    ) {
        let [event, _] = events_of(agent as u32, state.agents[agent].node, self.cta(agent));
        let Some(memory) = &mut state.memory else { return };
        memory.starts_again(agent, event);
        let clock = &mut memory.clocks[agent];
        let groups = &mut memory.groups[agent][Queue::Tensor as usize];
        groups.open.push(event);
        groups.before = clock.clone();
        clock.advance(agent);
        let buffers = self.context.program.buffers.iter().enumerate();
        let shared = buffers.filter(|(_, buffer)| buffer.space == Space::Local);
        let whole = |(at, buffer): (usize, &Buffer)| Range {
            buffer: at as u16,
            start: 0,
            end: buffer.size,
        };
        let own = self.cta(agent);
        let rank = own % self.context.program.launch.workgroups_per_cluster();
        let other = if rank.is_multiple_of(2) { own + 1 } else { own - 1 };
        let places = [Some(own), Some(other).filter(|_| pair)];
        for place in places.into_iter().flatten() {
            for reads in reads {
                let ranges: Vec<Range> = match reads {
                    Reads::Nothing => Vec::new(),
                    Reads::Bytes(range) | Reads::Within(range) => alloc::vec![range],
                    Reads::Any => shared.clone().map(whole).collect(),
                };
                for range in ranges {
                    let place = self.place(place, range);
                    let who = Who::Copy(event);
                    let made = Made { range, place, write: false, alike: Alike::None, who };
                    self.make(state, agent, made);
                }
            }
        }
    }

    /// The CTA whose memory is accessed from a CTA, or 0.
    fn place(&self, cta: u32, range: Range) -> u32 {
        let buffer = self.context.program.buffers.get(usize::from(range.buffer));
        match buffer.map(|buffer| buffer.space) {
            Some(Space::Local) => cta,
            _ => 0,
        }
    }

    /// The accesses of the next step of an agent that are not ordered after an earlier conflicting access: the earlier access
    /// and its own.
    #[must_use]
    pub fn raced(&self, before: &State, agent: usize) -> Vec<[Made; 2]> {
        let after = self.perform(before, agent, 0);
        let (Some(memory), Some(made)) = (&before.memory, &after.memory) else {
            return Vec::new();
        };
        let node = before.agents[agent].node;
        let clock = &memory.clocks[agent];
        let own = |who: Who| match who {
            Who::Agent(other, time) => other as usize == agent && time == clock.time(agent as u32),
            Who::Copy(event) => copy_of(event) == (agent, node) && !clock.knows(event),
        };
        let pairs = made.made.iter().filter(|new| own(new.who)).flat_map(|new| {
            let against = memory.made.iter().filter(|old| old.who != new.who);
            let races =
                against.filter(|old| self.conflict(old, new) && !clock.happened_before(old.who));
            races.map(|old| [*old, *new]).collect::<Vec<_>>()
        });
        pairs.collect()
    }

    /// Whether two accesses conflict as in [`Made::meets`]; tiles of a tensor by their coordinates.
    fn conflict(&self, old: &Made, new: &Made) -> bool {
        old.meets(new) && self.region(old).overlaps(&self.region(new))
    }

    /// The bytes of an access.
    #[must_use]
    pub fn region(&self, made: &Made) -> Region {
        let buffer = self.context.program.buffers.get(usize::from(made.range.buffer));
        let size = buffer.map_or(0, |buffer| buffer.size);
        Region { range: made.range, size, tile: self.tile(made) }
    }

    /// The tile of an access to a tensor in global memory.
    fn tile(&self, made: &Made) -> Option<Tile> {
        let Who::Copy(event) = made.who else { return None };
        let buffer = self.context.program.buffers.get(usize::from(made.range.buffer))?;
        let (agent, node) = copy_of(event);
        let node = self.context.program.body_of(agent).nodes.get(node as usize)?;
        match action_of(node) {
            Some(Action::Copy { tile, .. }) if buffer.space == Space::Global => tile,
            _ => None,
        }
    }

    /// Checks an access for races and stores it.
    fn make(&self, state: &mut State, agent: usize, new: Made) {
        let Some(memory) = &mut state.memory else { return };
        if self.read_only[usize::from(new.range.buffer)] {
            return;
        }
        let clock = &memory.clocks[agent];
        let mut broken = 0;
        // They are sorted by their ranges: those before `end` are before the end of the new one.
        let made = &memory.made;
        let start = made.partition_point(|old| old.range.buffer < new.range.buffer);
        let end = made.partition_point(|old| {
            (old.range.buffer, old.range.start) <= (new.range.buffer, new.range.end)
        });
        let (mut joined, mut joins) = (new, Vec::new());
        for (at, old) in made.iter().enumerate().take(end).skip(start) {
            if old.range.end < new.range.start {
                continue;
            }
            if self.conflict(old, &new) && !clock.happened_before(old.who) {
                let of_copy = matches!(old.who, Who::Copy(_)) || matches!(new.who, Who::Copy(_));
                let rule = if of_copy { RuleId::PtxAsyncCopyAccess } else { RuleId::MemRace };
                broken |= rule.bit();
            }
            if old.continues(&new) {
                joined.range.start = joined.range.start.min(old.range.start);
                joined.range.end = joined.range.end.max(old.range.end);
                joins.push(at);
            }
        }
        if !matches!(joins[..], [at] if made[at] == joined) {
            let made = Rc::make_mut(&mut memory.made);
            for &at in joins.iter().rev() {
                made.remove(at);
            }
            let at = made.binary_search(&joined).unwrap_or_else(|at| at);
            made.insert(at, joined);
        }
        state.broken |= broken;
    }
}
