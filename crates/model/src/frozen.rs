//! What all agents but one can do at most while that one does not move.
//!
//! The bound is from above: an arrive always passes, a wait passes as long as enough phases are complete or could become
//! so. Both machines use it to find an agent that may go first.

mod courses;

use crate::context::Context;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::Object;
use crate::ordered::OrderedSet;
use crate::reach::instance_bit;
use alloc::vec::Vec;
use courses::{Reached, reach};

/// What an agent joined last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joined {
    /// It never joined anything.
    #[default]
    Nothing,
    /// The NULL barrier.
    Null,
    /// A named barrier; `true` while no drop has broken *barrier-joined-before*.
    Named(InstanceId, bool),
}

/// Where an agent stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentState {
    /// Its node.
    pub node: u32,
    /// What it joined last.
    pub joined: Joined,
    /// Whether it has ended.
    pub ended: bool,
}

/// Upper bounds on what the others can do with one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Arrives.
    pub arrives: u32,
    /// Drops, ends of waves included.
    pub drops: u32,
    /// Waits that can pass.
    pub waits: u32,
    /// Joins of the object, or of another while it was joined.
    pub joins: u32,
    /// An init, a new expected count, or a question who is first.
    pub special: bool,
    /// Anything but a join.
    pub touched: bool,
}

/// As many as one likes.
const MANY: u32 = 1 << 20;
/// Rounds of the bound in which agents with loops are followed.
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
    /// Whether the others cannot complete a phase, and could not either with `more` further arrives.
    #[must_use]
    pub fn stays_open(self, others: Others, more: u32) -> bool {
        let arrives = i64::from(self.arrived) + i64::from(others.arrives) + i64::from(more);
        !others.special && arrives < i64::from(self.expected) - i64::from(others.drops)
    }

    /// How many phases the others can complete at most.
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

/// A state as the bound sees it.
pub struct View<'a> {
    /// The program.
    pub context: &'a Context,
    /// Where the agents stand.
    pub agents: &'a [AgentState],
    /// Counts by instance.
    pub counts: &'a [Counts],
    /// How many waits of an agent on an instance could pass now without any further completion.
    pub passable: &'a dyn Fn(usize, InstanceId) -> u32,
    /// Whether a *drop* leaves what was joined last, whatever its operand, and nothing is joined after it.
    pub drop_leaves: bool,
    /// Whether the cluster barrier is dropped once for a workgroup, by the last of its waves that ends, and not by each.
    pub last_drops_cluster: bool,
    /// What a wait acts on, by its operand, the instance that the operand names, and what was joined last;
    /// [`NO_INSTANCE`] where it passes at once.
    pub acts_on: &'a dyn Fn(Object, InstanceId, Joined) -> InstanceId,
}

impl View<'_> {
    /// Upper bounds, by instance, on what the other agents can do while `frozen` does not move.
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

    /// The same where completions are bounded by what is known so far. Agents with loops are followed while it is `early`:
    /// what they could do more and more of, round by round, is everything.
    fn others_within(&self, frozen: usize, bounds: &[Others], early: bool) -> Vec<Others> {
        let mut all = alloc::vec![Others::default(); self.counts.len()];
        let live = |&agent: &usize| agent != frozen && !self.agents[agent].ended;
        // Workgroups with a wave that cannot end, the one that does not move among them.
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

    /// The end of a wave drops the workgroup barrier, and the cluster barrier where each wave does.
    fn drop_at_end(&self, agent: usize, all: &mut [Others]) {
        let instances = &self.context.instances;
        let cluster =
            if self.last_drops_cluster { NO_INSTANCE } else { instances.cluster_of(agent) };
        for instance in [instances.workgroup_of(agent), cluster] {
            drop_once(instance, all);
        }
    }

    /// Each workgroup of which every wave can end drops the cluster barrier.
    fn drop_clusters(&self, staying: &OrderedSet<u32>, all: &mut [Others]) {
        let mut counted = staying.clone();
        for agent in (0..self.agents.len()).filter(|&agent| !self.agents[agent].ended) {
            if counted.insert(self.workgroup(agent)) {
                drop_once(self.context.instances.cluster_of(agent), all);
            }
        }
    }

    /// What an agent can reach at all, each as often as one likes; its end not counted.
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
                joins: many(named),
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
    /// Puts two bounds together, each two counts by a function: their sum where both can be done, the larger where one
    /// of the two is.
    fn combine(&mut self, other: Self, counts: impl Fn(u32, u32) -> u32) {
        self.arrives = counts(self.arrives, other.arrives);
        self.drops = counts(self.drops, other.drops);
        self.waits = counts(self.waits, other.waits);
        self.joins = counts(self.joins, other.joins);
        self.special |= other.special;
        self.touched |= other.touched;
    }
}
