//! The display of an execution: agents, objects, operations and memory.
//!
//! The types are plain values; with the feature `serde` they serialise.

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
    /// The keys of undone steps that can be redone, the next one first; empty in the result of [`Stepper::view_since`](super::Stepper::view_since).
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

/// The memory view after the performed steps. Steps are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemoryView {
    /// For each agent that marks or copies what it has in flight.
    pub flights: Vec<FlightView>,
    /// The fences that synchronize, each with the reason.
    pub synchronizes: Vec<Synchronization>,
    /// Conflicting accesses: every unordered pair, and those of the last access.
    pub pairs: Vec<PairView>,
    /// The counters that each agent has used, by agent; none on a target without counters that a program can name.
    pub counters: Vec<CounterView>,
}

/// A counter of outstanding memory operations of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CounterView {
    /// Index of the agent.
    pub agent: usize,
    /// Its name: `vmcnt`, `asynccnt`.
    pub counter: String,
    /// The steps whose accesses it may still show, the oldest first: as many as the hardware's shows at most.
    pub outstanding: Vec<usize>,
}

/// Two conflicting accesses, by different agents or by a copy and its own agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairView {
    /// The step of the earlier access.
    pub first: usize,
    /// The step of the later access.
    pub second: usize,
    /// Whether the first *happens-before* the second, whatever phases the waits depend on.
    pub ordered: bool,
    /// If it is ordered, the steps that order it: the wait that completes a copy, release fence, arrive, wait, acquire
    /// fence. Empty if the path leads through other agents.
    pub through: Vec<usize>,
    /// If it is not ordered, the missing edge, in sentences.
    pub missing: Vec<String>,
}

/// The operations in flight of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlightView {
    /// Index of the agent.
    pub agent: usize,
    /// The function bodies in progress, the outermost first, each with its sequence of marks.
    pub frames: Vec<FrameView>,
    /// The copies that it has started.
    pub copies: Vec<CopyView>,
}

/// A function body in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameView {
    /// The statement that calls it; of the outermost the agent's name.
    pub name: String,
    /// Its outstanding marks, the oldest first.
    pub marks: Vec<MarkView>,
}

/// An outstanding mark.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MarkView {
    /// The step that made it.
    pub step: usize,
    /// Its line.
    pub line: u32,
    /// The steps of the outstanding copies that it covers and no older mark of its body does.
    pub covers: Vec<usize>,
}

/// A copy: a span from the step that starts it to the wait that completes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CopyView {
    /// The step that started it.
    pub step: usize,
    /// Its line.
    pub line: u32,
    /// The copy as written.
    pub operation: String,
    /// The step of the wait that completed it, unless it is outstanding.
    pub completed: Option<usize>,
}

/// Two fences that synchronize.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Synchronization {
    /// The step of the release fence.
    pub release: usize,
    /// The step of the arrive after it.
    pub arrive: usize,
    /// The step of the wait that the arrive is before.
    pub wait: usize,
    /// The step of the acquire fence after that.
    pub acquire: usize,
    /// The address spaces in which they synchronize: `local`, `global`.
    pub spaces: Vec<String>,
    /// Why, in a sentence.
    pub why: String,
}
