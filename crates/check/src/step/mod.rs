//! Stepping: one execution, one operation at a time, forwards and backwards.
//!
//! The types here are plain values ready to be shown; with the feature `serde` they serialise.

mod amdgpu;
pub(crate) mod label;
pub(crate) mod ledger;
pub(crate) mod memory;
mod onebit;
mod short;
mod stepper;
pub(crate) mod walk;

pub use memory::{
    CopyView, CounterView, FlightView, FrameView, MarkView, MemoryView, PairView, Synchronization,
};
pub use stepper::{StepError, Stepper};

pub use crate::tell::names::in_ranges;
use alloc::string::String;
use alloc::vec::Vec;

/// A possible next step of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// Index of the agent.
    pub agent: usize,
    /// Stable key of the step: workgroup, wave, how many operations the agent performed before it, and the alternative
    /// of a `choose` (`0.1:3`, `0.1:3/2`); of a copy in flight `copy.0`.
    pub key: String,
    /// The operation as written, with the values of computed operands.
    pub label: String,
    /// The operation in a few words; as written if that is as short.
    pub short: String,
    /// Line of the operation.
    pub line: u32,
    /// Whether it can be performed now.
    pub enabled: bool,
    /// Why it is blocked: the counts of the wait, and the agents that can still arrive.
    pub blocked: Option<String>,
}

/// The state of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentView {
    /// Its name.
    pub name: String,
    /// `ready`, `blocked` or `ended`; `not started` before the host chooses its arguments.
    pub status: String,
    /// Name of the named barrier that it joined last, if any.
    pub joined: Option<String>,
    /// The sub-group that it is a work-item of, counted over all work-groups; none but in OpenCL.
    pub sub_group: Option<u32>,
    /// Its possible next steps: none if it has ended, several at a `choose`.
    pub moves: Vec<Move>,
}

/// The state of one barrier object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectView {
    /// Its name, with its workgroup or cluster if there are several.
    pub name: String,
    /// Its kind: `workgroup`, `cluster`, `named`, `plain`, `mbarrier`, `bar`, `warp`.
    pub kind: String,
    /// Whether it was initialised.
    pub initialised: bool,
    /// Expected count.
    pub expected: i64,
    /// Arrive count.
    pub arrived: i64,
    /// Phases completed so far.
    pub completed: u32,
    /// Names of the agents that joined it last.
    pub joined: Vec<String>,
    /// Names of the agents blocked on it.
    pub waiting: Vec<String>,
    /// Whether the last step changed it.
    pub changed: bool,
    /// Details in words. For an mbarrier object: phase, parity, counts, tx-count and word. On the one-bit machine:
    /// signals, members, the word of `s_get_barrier_state`, the agents whose completion bit is set, and the word's
    /// fields. Otherwise empty.
    pub detail: String,
}

/// One performed operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Performed {
    /// Index of the agent.
    pub agent: usize,
    /// Stable key of the step.
    pub key: String,
    /// The operation as written, with the values of computed operands.
    pub label: String,
    /// The operation in a few words; as written if that is as short.
    pub short: String,
    /// Line of the operation.
    pub line: u32,
    /// `init`, `arrive`, `wait`, `drop`, `join`, `end`, `choose`; of memory `load`, `store`, `copy`, `fence`, `mark`,
    /// `wait-marks` or `wait-counters`; or `other`.
    pub kind: String,
    /// Index into [`View::objects`] of the object that it acted on, if any.
    pub object: Option<usize>,
    /// The phase of that object: for an arrive or drop its phase, from 1 (for an mbarrier object from 0, and only if
    /// the step completes it); for a wait the phases that it may depend on (several only if the specification allows
    /// several).
    pub phases: Vec<u32>,
    /// Whether it completed that phase.
    pub completes: bool,
    /// Rules that it broke; none that is only a suspicion.
    pub broke: Vec<String>,
    /// On the hardware model, the result of `s_get_barrier_state` of that object after the step, as `0x01010021`; else
    /// empty.
    pub word: String,
}

/// The execution so far, and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct View {
    /// The operations performed up to the cursor.
    pub performed: Vec<Performed>,
    /// The keys of undone steps that can be redone, the next one first; empty in the result of [`Stepper::view_since`].
    pub undone: Vec<String>,
    /// Agents.
    pub agents: Vec<AgentView>,
    /// Objects that the scenario uses.
    pub objects: Vec<ObjectView>,
    /// The state of the execution: `running`, `finished`, `stuck` (agents are blocked and none can continue) or
    /// `undefined`.
    pub state: String,
    /// The meaning of the state, in a sentence.
    pub summary: String,
}
