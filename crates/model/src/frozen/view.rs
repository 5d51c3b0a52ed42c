//! The parts of a state that the bound uses, and the bound.

use crate::context::Context;
use crate::instance::InstanceId;
use crate::operation::Object;

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
pub(super) const MANY: u32 = 1 << 20;

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
    pub(super) fn completions(self, others: Others) -> u32 {
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
    /// The part of each agent: what agents of another part may still do touches no object that it may touch.
    pub parts: &'a [u32],
    /// Counts by instance.
    pub counts: &'a [Counts],
    /// The number of waits of an agent on an instance that could pass now without another completion.
    pub passable: &'a dyn Fn(usize, InstanceId) -> u32,
    /// The number of the law that `drop_leaves` and `acts_on` belong to.
    pub law: u8,
    /// Whether a *drop* acts on the object joined last, whatever its operand, and undoes the join.
    pub drop_leaves: bool,
    /// Whether only the last wave of a workgroup that ends drops the cluster barrier.
    pub last_drops_cluster: bool,
    /// The instance that a wait acts on, from its operand, the instance that the operand names, and the object joined last;
    /// [`NO_INSTANCE`](crate::instance::NO_INSTANCE) if it passes at once.
    pub acts_on: &'a dyn Fn(Object, InstanceId, Joined) -> InstanceId,
}

impl Others {
    /// Combines two bounds; `counts` combines each two counts: their sum if both can occur, the maximum if one of them can.
    pub(super) fn combine(&mut self, other: Self, counts: impl Fn(u32, u32) -> u32) {
        self.arrives = counts(self.arrives, other.arrives);
        self.drops = counts(self.drops, other.drops);
        self.waits = counts(self.waits, other.waits);
        self.memberships = counts(self.memberships, other.memberships);
        self.special |= other.special;
        self.touched |= other.touched;
    }
}
