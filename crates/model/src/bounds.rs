//! Upper bounds on what other agents may still do, and the latest ones.

use crate::agent::AgentState;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

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
pub(crate) const MANY: u32 = 1 << 20;

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
    pub(crate) fn completions(self, others: Others) -> u32 {
        let needed = i64::from(self.expected) - i64::from(others.drops);
        let available = i64::from(self.arrived) + i64::from(others.arrives);
        if others.special || needed < 1 {
            MANY
        } else {
            u32::try_from(available / needed).unwrap_or(MANY)
        }
    }
}

impl Others {
    /// Combines two bounds; `counts` combines each two counts: their sum if both can occur, the maximum if one of them can.
    pub(crate) fn combine(&mut self, other: Self, counts: impl Fn(u32, u32) -> u32) {
        self.arrives = counts(self.arrives, other.arrives);
        self.drops = counts(self.drops, other.drops);
        self.waits = counts(self.waits, other.waits);
        self.memberships = counts(self.memberships, other.memberships);
        self.special |= other.special;
        self.touched |= other.touched;
    }
}

/// The latest bounds of each agent. A step changes what decides those of few agents.
#[derive(Clone, Debug, Default)]
pub struct Known(pub(crate) RefCell<Vec<Vec<(Question, Answer)>>>);

/// Everything that the bounds of an agent depend on: the law of the view, the state of the agent, and for each instance the
/// number of waits that can pass.
pub(crate) type Question = (u8, AgentState, Vec<u32>);

/// The bounds; `None` if they are unbounded or there are too many paths.
pub(crate) type Answer = Option<Rc<Reached>>;

/// Upper bounds on the operations of an agent, by instance, excluding its end, and whether it can end.
#[derive(Debug)]
pub(crate) struct Reached {
    pub counts: Vec<Others>,
    pub ends: bool,
}
