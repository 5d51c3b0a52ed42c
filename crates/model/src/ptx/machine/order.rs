//! Release and acquire semantics of arrives and waits, barriers of a CTA and of a cluster, and fences.
//!
//! PTX ISA 9.1, "Memory Consistency Model": a fence makes later relaxed operations a release, and earlier relaxed
//! operations an acquire. "fence.mbarrier_init" releases only the inits of its thread.

use super::Machine;
use super::memory::{Clock, Fenced, Knowledge, is_init_by};
use super::node::action_of;
use super::state::State;
use crate::mem::operation::{Fence, Scope};
use crate::ptx::action::{Action, Order};

impl Machine {
    /// Releases knowledge to an object according to the order of an operation; `completed` if it completed the phase.
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
        let (clock, knowledge) = (&memory.clocks[agent], &mut memory.objects[object]);
        let released = &memory.fenced[agent].released;
        match (order, near) {
            (Order::Relaxed, true) => knowledge.near[0].join(&released[0]),
            (Order::Relaxed | Order::Cta, false) => knowledge.far[0].join(&released[1]),
            (_, true) => knowledge.near[0].join(clock),
            (Order::Cluster, false) => knowledge.far[0].join(clock),
        }
        if completed {
            knowledge.turn();
        }
        if order != Order::Relaxed {
            memory.clocks[agent].advance(agent);
        }
    }

    /// A wait acquires the knowledge that the completed phases release.
    pub(super) fn take_over(state: &mut State, agent: usize, object: usize, order: Order) {
        let Some(memory) = &mut state.memory else { return };
        let knowledge = &memory.objects[object];
        let (clock, fenced) = (&mut memory.clocks[agent], &mut memory.fenced[agent]);
        match order {
            Order::Relaxed => fenced.seen[0].join(&knowledge.near[1]),
            Order::Cta | Order::Cluster => clock.join(&knowledge.near[1]),
        }
        match order {
            Order::Relaxed | Order::Cta => fenced.seen[1].join(&knowledge.far[1]),
            Order::Cluster => clock.join(&knowledge.far[1]),
        }
    }

    /// Agents arrive at a barrier of their CTA.
    pub(super) fn hand_to_bar(state: &mut State, agents: &[usize], bar: usize) {
        let Some(memory) = &mut state.memory else { return };
        for &agent in agents {
            let clock = memory.clocks[agent].clone();
            memory.bars[bar].join(&clock);
            memory.clocks[agent].advance(agent);
        }
    }

    /// Agents acquire the knowledge that a generation released.
    pub(super) fn take_from_bar(state: &mut State, agents: &[usize], bar: usize) {
        let Some(memory) = &mut state.memory else { return };
        let clock = core::mem::take(&mut memory.bars[bar]);
        agents.iter().for_each(|&agent| memory.clocks[agent].join(&clock));
    }

    /// Synchronises lanes of a warp at `bar.warp.sync`: each acquires the knowledge of all.
    pub(super) fn meet(state: &mut State, agents: &[usize]) {
        let Some(memory) = &mut state.memory else { return };
        let mut all = Clock::default();
        for &agent in agents {
            all.join(&memory.clocks[agent]);
            memory.clocks[agent].advance(agent);
        }
        agents.iter().for_each(|&agent| memory.clocks[agent].join(&all));
    }

    /// The memory order of the node of an agent at the cluster barrier.
    fn cluster_order(&self, state: &State, agent: usize) -> Order {
        match self.node(state, agent).and_then(action_of) {
            Some(Action::ClusterArrive { order, .. } | Action::ClusterWait { order, .. }) => order,
            _ => Order::Relaxed,
        }
    }

    pub(super) fn hand_to_cluster(&self, state: &mut State, agent: usize) {
        let order = self.cluster_order(state, agent);
        let cluster = self.context.program.launch.cluster_of(self.cta(agent)) as usize;
        let Some(memory) = &mut state.memory else { return };
        if order == Order::Relaxed {
            memory.clusters[cluster][0].join(&memory.fenced[agent].released[1]);
        } else {
            memory.clusters[cluster][0].join(&memory.clocks[agent]);
            memory.clocks[agent].advance(agent);
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
        let clock = &memory.clusters[cluster][1];
        if order == Order::Relaxed {
            memory.fenced[agent].seen[1].join(clock);
        } else {
            memory.clocks[agent].join(clock);
        }
    }

    /// `fence`: acquires what earlier relaxed waits observed; later relaxed arrives release the current knowledge.
    pub(super) fn fence(
        state: &mut State,
        agent: usize,
        (release, acquire, cluster): (bool, bool, bool),
    ) {
        let Some(memory) = &mut state.memory else { return };
        let (clock, fenced) = (&mut memory.clocks[agent], &mut memory.fenced[agent]);
        let Fenced { released, seen } = fenced;
        let reach = 1 + usize::from(cluster);
        if acquire {
            seen.iter().take(reach).for_each(|seen| clock.join(seen));
        }
        if release {
            released.iter_mut().take(reach).for_each(|released| released.join(clock));
            clock.advance(agent);
        }
    }

    /// A fence of the model.
    pub(super) fn fence_of_words(state: &mut State, agent: usize, fence: Fence) {
        if fence.scope >= Scope::Workgroup {
            let cluster = fence.scope > Scope::Workgroup;
            Self::fence(state, agent, (fence.release, fence.acquire, cluster));
        }
    }

    /// `fence.mbarrier_init`: the next arrive of this thread, even if relaxed, releases its inits.
    pub(super) fn fence_inits(state: &mut State, agent: usize) {
        let Some(memory) = &mut state.memory else { return };
        let (clock, fenced) = (&memory.clocks[agent], &mut memory.fenced[agent]);
        for &event in clock.events.iter().filter(|&&event| is_init_by(event, agent)) {
            fenced.released.iter_mut().for_each(|released| released.learn(event));
        }
    }
}

impl Knowledge {
    /// Completes the current phase: its released knowledge joins that of the earlier phases.
    pub(super) fn turn(&mut self) {
        for side in [&mut self.near, &mut self.far] {
            let open = core::mem::take(&mut side[0]);
            side[1].join(&open);
        }
    }
}
