//! What happens before what, as far as accesses to memory need it.
//!
//! Each agent has a vector clock. An arrive with release semantics hands its clock to the running phase, a wait with
//! acquire semantics takes what the phases before handed over; `.relaxed` hands over nothing, and across CTAs both ends
//! need `.cluster`. A barrier of the CTA hands over between all that take part in a generation. A bulk copy starts after
//! what its agent did before; that it is complete is known to whoever observes the phase that its bytes completed. Two
//! overlapping accesses, one of them a write, of which neither happens before the other, are a race.

use super::state::State;
use super::{Machine, action_of, bit};
use crate::mem::operation::{Memory as Access, Range, Space};
use crate::operation::Action as Any;
use crate::program::{Node, Program};
use crate::ptx::action::{Action, Order};
use crate::rule::RuleId;
use alloc::vec::Vec;

/// A point in time as far as an agent knows others: their times, and the copies known to be complete.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock {
    /// By agent.
    pub times: Vec<u32>,
    /// Copies, by number, ascending.
    pub copies: Vec<u32>,
}

impl Clock {
    fn join(&mut self, other: &Self) {
        if self.times.len() < other.times.len() {
            self.times.resize(other.times.len(), 0);
        }
        self.times
            .iter_mut()
            .zip(&other.times)
            .for_each(|(mine, other)| *mine = (*mine).max(*other));
        other.copies.iter().for_each(|&copy| self.insert(copy));
    }

    fn insert(&mut self, copy: u32) {
        if let Err(at) = self.copies.binary_search(&copy) {
            self.copies.insert(at, copy);
        }
    }

    fn time(&self, agent: u32) -> u32 {
        self.times.get(agent as usize).copied().unwrap_or(0)
    }
}

/// Who made an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// An agent, at its time.
    Agent(u32, u32),
    /// A copy, by number.
    Copy(u32),
}

/// An access that later ones can race with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Made {
    /// What was accessed.
    pub range: Range,
    /// The CTA whose memory it is; 0 for global memory.
    pub place: u32,
    /// Whether it writes.
    pub write: bool,
    /// Who made it.
    pub who: Who,
}

/// What a synchronising object hands over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Carried {
    /// By agents of its own CTA, and by copies: in the running phase and in phases before.
    pub near: [Clock; 2],
    /// By agents of other CTAs.
    pub far: [Clock; 2],
}

/// The clocks and accesses of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memory {
    /// By agent.
    pub clocks: Vec<Clock>,
    /// By mbarrier object.
    pub objects: Vec<Carried>,
    /// By barrier of a CTA: what the running generation hands over.
    pub bars: Vec<Clock>,
    /// By cluster: what the running phase hands over, and the one before.
    pub clusters: Vec<[Clock; 2]>,
    /// Accesses, in order.
    pub made: Vec<Made>,
}

/// Whether a program accesses memory at all, by its agents or by copies.
pub(super) fn is_tracked(program: &Program) -> bool {
    let accesses = |node: &Node| {
        let Node::Operation { operation, .. } = node else { return false };
        match operation.action {
            Any::Memory(memory) => memory.accesses() != (None, None),
            Any::Ptx(Action::Copy { to, from, .. }, _) => to.is_some() || from.is_some(),
            _ => false,
        }
    };
    program.bodies.iter().any(|body| body.nodes.iter().any(accesses))
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
                Clock { times, copies: Vec::new() }
            };
            alloc::boxed::Box::new(Memory {
                clocks: (0..program.agents.len()).map(clock).collect(),
                objects: alloc::vec![Carried::default(); mbarriers],
                bars: alloc::vec![Clock::default(); bars],
                clusters: alloc::vec![Default::default(); program.launch.clusters as usize],
                made: Vec::new(),
            })
        })
    }

    /// A load or store of an agent.
    pub(super) fn access(&self, state: &mut State, agent: usize) {
        let Some(Node::Operation { operation, .. }) = self.node(state, agent) else { return };
        let Any::Memory(access) = operation.action else { return };
        let (read, write) = match access {
            Access::Load(range) => (Some(range), None),
            Access::Store(range) => (None, Some(range)),
            _ => return,
        };
        let Some(memory) = &state.memory else { return };
        let who = Who::Agent(agent as u32, memory.clocks[agent].time(agent as u32));
        for (range, writes) in [(read, false), (write, true)] {
            if let Some(range) = range {
                self.make(
                    state,
                    agent,
                    Made { range, place: self.place(agent, range), write: writes, who },
                );
            }
        }
    }

    /// A bulk copy starts: it reads and writes from now on.
    pub(super) fn copy_starts(&self, state: &mut State, agent: usize, action: Action, number: u32) {
        let Action::Copy { to, from, .. } = action else { return };
        if let Some(memory) = &mut state.memory {
            let forget = |clock: &mut Clock| clock.copies.retain(|&copy| copy != number);
            memory.clocks.iter_mut().for_each(forget);
        }
        for (range, write) in [(from, false), (to, true)] {
            if let Some(range) = range {
                let made =
                    Made { range, place: self.place(agent, range), write, who: Who::Copy(number) };
                self.make(state, agent, made);
            }
        }
    }

    /// The CTA whose memory an agent accesses.
    fn place(&self, agent: usize, range: Range) -> u32 {
        let buffer = self.context.program.buffers.get(usize::from(range.buffer));
        match buffer.map(|buffer| buffer.space) {
            Some(Space::Local) => self.cta(agent),
            _ => 0,
        }
    }

    /// Looks for races with an access and keeps it.
    fn make(&self, state: &mut State, agent: usize, new: Made) {
        let Some(memory) = &mut state.memory else { return };
        let clock = &memory.clocks[agent];
        let mut broken = 0;
        for old in &memory.made {
            let conflicts =
                old.place == new.place && old.range.overlaps(new.range) && (old.write || new.write);
            let before = match old.who {
                Who::Agent(other, time) => clock.time(other) >= time,
                Who::Copy(number) => clock.copies.binary_search(&number).is_ok(),
            };
            if conflicts && !before {
                let of_copy = matches!(old.who, Who::Copy(_)) || matches!(new.who, Who::Copy(_));
                broken |= bit(if of_copy { RuleId::PtxAsyncCopyAccess } else { RuleId::MemRace });
            }
        }
        if let Err(at) = memory.made.binary_search(&new) {
            memory.made.insert(at, new);
        }
        memory.forget();
        state.broken |= broken;
    }

    /// An operation on an object hands over, or takes, what its order says. `completed` says whether it completed the
    /// phase.
    pub(super) fn hand_over(
        &self,
        state: &mut State,
        agent: usize,
        object: usize,
        order: Order,
        completed: bool,
    ) {
        let near = self.named(object).1 == self.cta(agent);
        let Some(memory) = &mut state.memory else { return };
        let (clock, carried) = (&memory.clocks[agent], &mut memory.objects[object]);
        match (order, near) {
            (Order::Relaxed, _) | (Order::Cta, false) => {}
            (_, true) => carried.near[0].join(clock),
            (Order::Cluster, false) => carried.far[0].join(clock),
        }
        if completed {
            carried.turn();
        }
        if order != Order::Relaxed {
            memory.clocks[agent].times[agent] += 1;
        }
    }

    /// Bytes of a copy complete; with the last of them the copy does.
    pub(super) fn copy_completes(
        state: &mut State,
        object: usize,
        number: Option<u32>,
        completed: bool,
    ) {
        let Some(memory) = &mut state.memory else { return };
        if let Some(number) = number {
            memory.objects[object].near[0].insert(number);
        }
        if completed {
            memory.objects[object].turn();
        }
    }

    /// A wait takes what the phases before the running one hand over.
    pub(super) fn take_over(&self, state: &mut State, agent: usize, object: usize, order: Order) {
        let Some(memory) = &mut state.memory else { return };
        if order == Order::Relaxed {
            return;
        }
        let carried = memory.objects[object].clone();
        memory.clocks[agent].join(&carried.near[1]);
        if order == Order::Cluster {
            memory.clocks[agent].join(&carried.far[1]);
        }
    }

    /// Agents arrive at a barrier of their CTA.
    pub(super) fn hand_to_bar(state: &mut State, agents: &[usize], bar: usize) {
        let Some(memory) = &mut state.memory else { return };
        for &agent in agents {
            let clock = memory.clocks[agent].clone();
            memory.bars[bar].join(&clock);
            memory.clocks[agent].times[agent] += 1;
        }
    }

    /// Agents take what a generation handed over.
    pub(super) fn take_from_bar(state: &mut State, agents: &[usize], bar: usize) {
        let Some(memory) = &mut state.memory else { return };
        let clock = core::mem::take(&mut memory.bars[bar]);
        agents.iter().for_each(|&agent| memory.clocks[agent].join(&clock));
    }

    /// Where the node of an agent orders at the cluster barrier.
    fn cluster_order(&self, state: &State, agent: usize) -> Order {
        match self.node(state, agent).and_then(action_of) {
            Some(Action::ClusterArrive { order } | Action::ClusterWait { order }) => order,
            _ => Order::Relaxed,
        }
    }

    pub(super) fn hand_to_cluster(&self, state: &mut State, agent: usize) {
        let order = self.cluster_order(state, agent);
        let cluster = self.context.program.launch.cluster_of(self.cta(agent)) as usize;
        let Some(memory) = &mut state.memory else { return };
        if order != Order::Relaxed {
            let clock = memory.clocks[agent].clone();
            memory.clusters[cluster][0].join(&clock);
            memory.clocks[agent].times[agent] += 1;
        }
    }

    pub(super) fn cluster_turns(&self, state: &mut State, agent: usize) {
        let cluster = self.context.program.launch.cluster_of(self.cta(agent)) as usize;
        let Some(memory) = &mut state.memory else { return };
        let open = core::mem::take(&mut memory.clusters[cluster][0]);
        memory.clusters[cluster][1].join(&open);
    }

    pub(super) fn take_from_cluster(&self, state: &mut State, agent: usize) {
        let order = self.cluster_order(state, agent);
        let cluster = self.context.program.launch.cluster_of(self.cta(agent)) as usize;
        let Some(memory) = &mut state.memory else { return };
        if order != Order::Relaxed {
            let clock = memory.clusters[cluster][1].clone();
            memory.clocks[agent].join(&clock);
        }
    }
}

impl Carried {
    /// The running phase completes: what it hands over joins what the phases before it did.
    fn turn(&mut self) {
        for side in [&mut self.near, &mut self.far] {
            let open = core::mem::take(&mut side[0]);
            side[1].join(&open);
        }
    }
}

impl Memory {
    /// Forgets accesses that everybody knows to be past: nothing can race with them any more.
    fn forget(&mut self) {
        let Self { clocks, made, .. } = self;
        made.retain(|made| {
            !clocks.iter().all(|clock| match made.who {
                Who::Agent(agent, time) => clock.time(agent) > time,
                Who::Copy(number) => clock.copies.binary_search(&number).is_ok(),
            })
        });
    }
}
