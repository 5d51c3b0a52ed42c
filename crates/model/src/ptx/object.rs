//! The counts of an mbarrier object (PTX ISA 9.1, "mbarrier"), and the semantics that apply to them.

use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// The maximum arrival count, and the maximum absolute tx-count.
pub const MOST: i64 = (1 << 20) - 1;

/// The semantics of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    /// Whether the specification applies strictly; otherwise the hardware model does, with counts and a parity.
    pub text: bool,
    /// Whether a wait that can see several phases is reported. The hardware model that is compared with a specification does
    /// not report it.
    pub hazards: bool,
    /// The readings chosen.
    pub readings: Readings,
}

impl Law {
    pub(crate) fn usual(self, reading: ReadingId) -> bool {
        self.readings.is_default(reading)
    }
}

/// The state of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mbarrier {
    /// Whether it is initialised and not invalidated.
    pub valid: bool,
    /// The current phase, from 0.
    pub phase: u32,
    /// Pending arrivals of the current phase.
    pub pending: i32,
    /// Expected arrivals of the next phase.
    pub expected: i32,
    /// Bytes expected minus bytes completed, negative if more have completed.
    pub tx: i32,
    /// Whether a wait has observed the completion of the previous phase.
    pub observed: bool,
}

/// The result of a modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The object.
    pub next: Mbarrier,
    /// Whether it completed the phase.
    pub completes: bool,
    /// A broken rule after which the state is still defined.
    pub broken: Option<RuleId>,
}
