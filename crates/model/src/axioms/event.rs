//! Performed barrier operations.

use crate::instance::{InstanceId, NO_INSTANCE};
use crate::program::NodeId;

/// The kind of a barrier operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// *init* with its expected count.
    Init(i64),
    /// *arrive*, with a new expected count if given.
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

    /// The document's name for it.
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
    /// Its kind.
    pub kind: Kind,
    /// The object that it acts on; [`NO_INSTANCE`] for the NULL barrier.
    pub instance: InstanceId,
    /// The node in the agent's body; for drops at the end of a wave, the end node.
    pub node: NodeId,
    /// Number of steps of any kind that the agent performed before it.
    pub ordinal: u32,
}

impl Event {
    /// Whether it acts on that object.
    #[must_use]
    pub fn is_on(&self, instance: InstanceId) -> bool {
        self.instance == instance && instance != NO_INSTANCE
    }

    /// Whether both act on the same object.
    #[must_use]
    pub fn shares_object(&self, other: &Self) -> bool {
        self.is_on(other.instance)
    }
}
