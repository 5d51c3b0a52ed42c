//! Causes and facts about AMDGPU barriers, and about their hardware model.

use super::field::Word;
use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;

/// Why an agent does not arrive in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Absence {
    /// It waits for the phase without having arrived.
    Waits,
    /// It arrived only in earlier phases.
    Before,
    /// It has an arrive, but its path does not contain it.
    Passed,
    /// It has no arrive at the object.
    Never,
}

impl Word for Absence {
    fn word(&self) -> &'static str {
        match self {
            Self::Waits => "waits",
            Self::Before => "arrived-earlier",
            Self::Passed => "skipped",
            Self::Never => "never",
        }
    }
}

/// Why no completed phase is available for a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    /// Phase separation excludes them.
    Barred,
    /// Earlier waits used some, and phase separation excludes the others.
    Starved,
    /// Earlier waits used them.
    Used,
}

impl Word for Spent {
    fn word(&self) -> &'static str {
        match self {
            Self::Barred => "separated",
            Self::Starved => "used-or-separated",
            Self::Used => "used",
        }
    }
}

causes! {
    /// Causes and facts about AMDGPU barriers, and about their hardware model.
    Amd {
        /// An operation uses an object before it is initialised.
        UseBeforeInit "use-before-init" { operation: At, object: String };
        /// No init of the object is ordered before the operation.
        NoOrderedInit "no-init-ordered-before" { operation: At, object: String };
        /// The first modification of an object must be an init.
        InitComesFirst "init-comes-first";
        /// An init sets an expected count that is not positive.
        CountNotPositive "count-not-positive" { operation: At };
        /// A drop makes the expected count negative.
        NegativeExpected "expected-negative" { operation: At, object: String };
        /// The expected count before the operation.
        ExpectedBefore "expected-before" { object: String, expected: i32 };
        /// An arrive sets an expected count that is not above the arrival count.
        ExpectedNotAbove "expected-not-above-arrivals" { operation: At };
        /// The arrivals before the operation; the new count must exceed them.
        ArrivalsBefore "arrivals-before" { object: String, arrived: i32, expected: i32 };
        /// A wait depends on a phase that an agent arrived in and then left by a drop.
        DependsOnDropped "wait-depends-on-dropped" { operation: At, object: String };
        /// An agent must wait for a phase in which it arrived before it drops the object.
        WaitBeforeDrop "wait-before-drop";
        /// The arrivals so far.
        ArrivalsSoFar "arrivals-so-far" { arrives: Vec<At> };
        /// An agent drops an object, or `ends`, without waiting for the phase in which it arrived.
        DropsUnwaited "drops-without-wait" { operation: At, ends: bool, agent: usize, object: String };
        /// The end of an agent drops an object.
        EndDrops "end-drops" { object: String };
        /// An arrive participates in a wait.
        Participates "arrive-participates" { arrive: At };
        /// No wait for the phase executes before the drop.
        NoWaitBeforeDrop "no-wait-before-drop" { agent: usize };
        /// An operation joins an object that is not a named barrier.
        JoinsUnnamed "joins-unnamed" { operation: At, object: String };
        /// An agent drops a named barrier that it has not joined.
        DropsUnjoined "drops-unjoined" { operation: At, agent: usize, object: String };
        /// A drop requires a join before it, without another join or drop in between.
        DropNeedsJoin "drop-requires-join";
        /// An agent waits on a named barrier that it has not joined.
        WaitsUnjoined "waits-unjoined" { operation: At, agent: usize, object: String };
        /// An agent has joined no barrier.
        JoinedNothing "joined-nothing" { agent: usize };
        /// The last join of an agent names the NULL barrier.
        JoinedNull "joined-null" { agent: usize };
        /// The last join of an agent names an object.
        Joined "joined" { agent: usize, object: String };
        /// An agent joined an object and dropped it.
        JoinedDropped "joined-and-dropped" { agent: usize, object: String };
        /// An agent may have joined an object after the phase for which it waits.
        JoinedLate "joined-late" { agent: usize, object: String };
        /// The operations that a wait depends on.
        DependsOn "wait-depends-on" { operations: Vec<At> };
        /// A join is not ordered before the operations that a wait depends on, of which there can be `several`.
        JoinUnordered "join-not-ordered" { join: At, several: bool };
        /// An operation uses an object that belongs to another workgroup.
        ForeignObject "foreign-object" { operation: At, object: String, workgroup: u32 };
        /// An operation is the second arrival of a workgroup in one phase.
        SecondArrival "second-arrival" { operation: At, workgroup: u32, object: String };
        /// The workgroup has already arrived in the current phase.
        HasArrived "already-arrived" { workgroup: u32, arrived: i32, expected: i32 };
        /// An operation is in divergent control flow.
        Divergent "divergent" { operation: At };
        /// The lanes of an agent are at different operations.
        LanesApart "lanes-apart" { agent: usize };
        /// Agents wait on an object that never completes a phase.
        NoPhase "object-without-phases" { agents: Vec<usize> };
        /// Agents wait on an object that is not initialised.
        WaitsUninitialised "waits-uninitialised" { agents: Vec<usize>, object: String };
        /// Agents wait for a phase that misses arrivals.
        WaitsForPhase "waits-for-phase" { agents: Vec<usize>, object: String, phase: u32, arrived: i32, expected: i32 };
        /// A wait names another object than the last joins of its agents.
        NamesOther "wait-names-other" { named: String, object: String, several: bool };
        /// The completed phases are not available to the waits of agents.
        Spent "phases-unavailable" { agents: Vec<usize>, completed: u32, why: Spent };
        /// An init reset the arrival count of a phase in which agents had arrived.
        InitReset "init-reset-arrivals" { init: At, object: String, agents: Vec<usize>, phase: u32 };
        /// A phase misses arrivals; `absent` has the agents that do not arrive, by the reason.
        Missing "arrivals-missing" { object: String, phase: u32, missing: i32, arrived: Vec<usize>, absent: Vec<(Absence, Vec<usize>)> };
        /// Agents do not arrive at an object.
        Absent "agents-do-not-arrive" { agents: Vec<usize>, why: Absence, object: String };
        /// Waits never return on the hardware model.
        StuckOnHardware "hardware-waits-never-return" { waits: Vec<At> };
        /// The completion bits of agents stay clear.
        BitsStayClear "completion-bits-clear" { agents: Vec<usize> };
        /// The completion bit of an agent is clear: of the members of a barrier, some have signalled.
        BitClear "completion-bit-clear" { object: String, signals: u32, members: u32, word: u32 };
        /// An earlier completion arrived while the completion bit was still set, and was lost.
        LostEarlier "completion-lost";
        /// An operation completes a barrier whose last completion is still pending.
        LosesCompletion "completion-pending" { operation: At };
        /// A wave has not waited for the last completion.
        NotWaited "completion-not-waited";
        /// An operation sets a count that does not fit in seven bits.
        WideCount "count-too-wide" { operation: At };
    }
}
