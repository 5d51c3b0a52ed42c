//! Barrier operations as performed.

use crate::instance::{InstanceId, NO_INSTANCE};
use crate::program::NodeId;

/// What a barrier operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// *init* with its expected count.
    Init(i64),
    /// *arrive*, perhaps with a new expected count.
    Arrive(Option<i64>),
    /// *drop*.
    Drop,
    /// *wait*.
    Wait,
    /// *join*.
    Join,
}

impl Kind {
    /// Whether it modifies the object.
    #[must_use]
    pub const fn modifies(self) -> bool {
        matches!(self, Self::Init(_) | Self::Arrive(_) | Self::Drop)
    }

    /// Whether the operation can participate in a wait.
    #[must_use]
    pub const fn can_participate(self) -> bool {
        matches!(self, Self::Arrive(_) | Self::Drop)
    }

    /// The document's word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Arrive(_) => "arrive",
            Self::Drop => "drop",
            Self::Wait => "wait",
            Self::Join => "join",
        }
    }
}

/// A performed barrier operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The agent.
    pub agent: usize,
    /// What it is.
    pub kind: Kind,
    /// The object that it acts on; [`NO_INSTANCE`] for the NULL barrier.
    pub instance: InstanceId,
    /// The node of the agent's body; that of its end for what the end of a wave drops.
    pub node: NodeId,
    /// How many steps the agent performed before it, whatever they were.
    pub ordinal: u32,
}

impl Event {
    /// Whether the operation is one on that object.
    #[must_use]
    pub fn is_on(&self, instance: InstanceId) -> bool {
        self.instance == instance && instance != NO_INSTANCE
    }

    /// Whether both are on one object.
    #[must_use]
    pub fn shares_object(&self, other: &Self) -> bool {
        self.is_on(other.instance)
    }
}
