//! Upper bounds on the operations of all other agents while one agent does not move.
//!
//! In the bound, an arrive always passes, and a wait passes while enough phases are complete or could complete. The
//! specification and the hardware model use it to find an agent that may go first.

mod courses;

use crate::context::Context;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::Object;
use crate::ordered::OrderedSet;
use crate::reach::instance_bit;
use alloc::vec::Vec;
use courses::{Reached, reach};

/// The object that an agent joined last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joined {
    /// It has joined no object.
    #[default]
    Nothing,
    /// The NULL barrier.
    Null,
    /// A named barrier; `true` while no drop has broken *barrier-joined-before*.
    Named(InstanceId, bool),
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentState {
    /// Its node.
    pub node: u32,
    /// The object that it joined last.
    pub joined: Joined,
    /// Whether it has ended.
    pub ended: bool,
}

/// Upper bounds on the operations of the other agents on one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Arrives.
    pub arrives: u32,
    /// Drops, including ends of waves.
    pub drops: u32,
    /// Waits that can pass.
    pub waits: u32,
    /// Joins of the object, or of another while it was joined, and ends of agents that joined it.
    pub memberships: u32,
    /// An init, a new expected count, or a test for the first arrival.
    pub special: bool,
    /// Any operation except a join.
    pub touched: bool,
}

/// An unbounded number.
const MANY: u32 = 1 << 20;
/// Iterations of the bound in which agents with loops are followed.
const ROUNDS: u32 = 3;

/// The arrive count and the expected count of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Arrive count.
    pub arrived: i32,
    /// Expected count.
    pub expected: i32,
}

impl Counts {
    /// Whether the others cannot complete a phase, even with `more` additional arrives.
    #[must_use]
    pub fn stays_open(self, others: Others, more: u32) -> bool {
        let arrives = i64::from(self.arrived) + i64::from(others.arrives) + i64::from(more);
        !others.special && arrives < i64::from(self.expected) - i64::from(others.drops)
    }

    /// The maximum number of phases that the others can complete.
    fn completions(self, others: Others) -> u32 {
        let needed = i64::from(self.expected) - i64::from(others.drops);
        let available = i64::from(self.arrived) + i64::from(others.arrives);
        if others.special || needed < 1 {
            MANY
        } else {
            u32::try_from(available / needed).unwrap_or(MANY)
        }
    }
}

/// The parts of a state that the bound uses.
pub struct View<'a> {
    /// The program.
    pub context: &'a Context,
    /// The states of the agents.
    pub agents: &'a [AgentState],
    /// Counts by instance.
    pub counts: &'a [Counts],
    /// The number of waits of an agent on an instance that could pass now without another completion.
    pub passable: &'a dyn Fn(usize, InstanceId) -> u32,
    /// Whether a *drop* acts on the object joined last, whatever its operand, and undoes the join.
    pub drop_leaves: bool,
    /// Whether only the last wave of a workgroup that ends drops the cluster barrier.
    pub last_drops_cluster: bool,
    /// The instance that a wait acts on, from its operand, the instance that the operand names, and the object joined last;
    /// [`NO_INSTANCE`] if it passes at once.
    pub acts_on: &'a dyn Fn(Object, InstanceId, Joined) -> InstanceId,
}

impl View<'_> {
    /// Upper bounds, by instance, on the operations of the other agents while `frozen` does not move.
    #[must_use]
    pub fn others(&self, frozen: usize) -> Vec<Others> {
        let mut bounds = alloc::vec![Others::default(); self.counts.len()];
        for round in 0u32.. {
            let next = self.others_within(frozen, &bounds, round < ROUNDS);
            if bounds == next {
                break;
            }
            bounds = next;
        }
        bounds
    }

    /// The same bounds, with completions limited by `bounds`. While it is `early`, agents with loops are followed; later, an
    /// operation that they could repeat is unbounded.
    fn others_within(&self, frozen: usize, bounds: &[Others], early: bool) -> Vec<Others> {
        let mut all = alloc::vec![Others::default(); self.counts.len()];
        let live = |&agent: &usize| agent != frozen && !self.agents[agent].ended;
        // Workgroups with a wave that cannot end, including the agent that does not move.
        let mut staying = OrderedSet::from([self.workgroup(frozen)]);
        for agent in (0..self.agents.len()).filter(live) {
            self.context.work.add(1);
            let followed = early || !self.context.reaches.is_cyclic(agent);
            let reached = followed
                .then(|| reach(self, bounds, agent))
                .flatten()
                .unwrap_or_else(|| Reached { counts: self.everything(agent), ends: true });
            let own = all.iter_mut().zip(&reached.counts);
            own.for_each(|(all, more)| all.combine(*more, u32::saturating_add));
            if reached.ends {
                self.drop_at_end(agent, &mut all);
            } else {
                staying.insert(self.workgroup(agent));
            }
        }
        if self.last_drops_cluster {
            self.drop_clusters(&staying, &mut all);
        }
        all
    }

    fn workgroup(&self, agent: usize) -> u32 {
        self.context.program.agents[agent].workgroup
    }

    /// The end of a wave drops the workgroup barrier, and the cluster barrier if each wave drops it.
    fn drop_at_end(&self, agent: usize, all: &mut [Others]) {
        let instances = &self.context.instances;
        let cluster =
            if self.last_drops_cluster { NO_INSTANCE } else { instances.cluster_of(agent) };
        for instance in [instances.workgroup_of(agent), cluster] {
            drop_once(instance, all);
        }
    }

    /// Each workgroup whose waves can all end drops the cluster barrier.
    fn drop_clusters(&self, staying: &OrderedSet<u32>, all: &mut [Others]) {
        let mut counted = staying.clone();
        for agent in (0..self.agents.len()).filter(|&agent| !self.agents[agent].ended) {
            if counted.insert(self.workgroup(agent)) {
                drop_once(self.context.instances.cluster_of(agent), all);
            }
        }
    }

    /// All operations that an agent can reach, each unbounded; excludes its end.
    fn everything(&self, agent: usize) -> Vec<Others> {
        let reach = self.context.reaches.from(agent, self.agents[agent].node);
        let of = |instance: InstanceId| {
            let has = |set: u128| set & instance_bit(instance) != 0;
            let named = self.context.object(instance).is_named();
            let left = self.drop_leaves && reach.drops != 0 && named;
            let many = |condition: bool| if condition { MANY } else { 0 };
            Others {
                arrives: many(has(reach.touches)),
                drops: many(has(reach.drops) || left),
                waits: many(has(reach.waits)),
                memberships: many(named),
                special: has(reach.inits | reach.special),
                touched: has(reach.touches) || left,
            }
        };
        (0..).take(self.counts.len()).map(of).collect()
    }
}

fn drop_once(instance: InstanceId, all: &mut [Others]) {
    if let Some(others) = all.get_mut(usize::from(instance)) {
        others.drops += 1;
        others.touched = true;
    }
}

impl Others {
    /// Combines two bounds; `counts` combines each two counts: their sum if both can occur, the maximum if one of them can.
    fn combine(&mut self, other: Self, counts: impl Fn(u32, u32) -> u32) {
        self.arrives = counts(self.arrives, other.arrives);
        self.drops = counts(self.drops, other.drops);
        self.waits = counts(self.waits, other.waits);
        self.memberships = counts(self.memberships, other.memberships);
        self.special |= other.special;
        self.touched |= other.touched;
    }
}
