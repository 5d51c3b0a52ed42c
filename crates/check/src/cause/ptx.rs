//! Causes and facts about barriers, copies and memory of NVIDIA.

use super::field::{Act, Field, Fields};
use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;

/// The counts of an mbarrier object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Whether it is initialised.
    pub valid: bool,
    /// Its current phase, from 0.
    pub phase: u32,
    /// Arrivals in the phase.
    pub arrived: i32,
    /// Expected arrivals at the beginning of the phase.
    pub expected: i32,
    /// Bytes that are still expected; negative if too many were completed.
    pub bytes: i32,
}

impl Field for Counts {
    const PARTS: &'static [&'static str] =
        &["initialised", "phase", "arrived", "expected", "bytes"];

    fn write(&self, _: &str, out: &mut Fields<'_>) {
        out.field("initialised", &self.valid);
        if self.valid {
            out.field("phase", &self.phase);
            out.field("arrived", &self.arrived);
            out.field("expected", &self.expected);
            out.field("bytes", &self.bytes);
        }
    }
}

/// The phase that an operation arrived in: that of an mbarrier object by number, that of a cluster barrier, or a generation
/// of another barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phase {
    /// The barrier.
    pub object: String,
    /// Its number, if phases are counted.
    pub number: Option<u32>,
    /// Whether the barrier has phases, or else generations.
    pub phases: bool,
}

impl Field for Phase {
    const PARTS: &'static [&'static str] = &["object", "phase"];

    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.field("object", &self.object);
        out.field(name, &self.number);
    }
}

/// What a wait on an mbarrier object asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A parity.
    Parity(i64),
    /// The phase of a token.
    Token,
}

/// Where agents are blocked, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// At an mbarrier object.
    Mbarrier { object: String, asked: Asked, counts: Counts },
    /// At a barrier, for the other lanes of the warp.
    Lanes { object: String },
    /// At a CTA barrier that misses threads.
    Bar { object: String, arrived: u32, threads: u32 },
    /// At a cluster barrier or `bar.warp.sync` that `missing` agents have not reached; `held` of them are blocked elsewhere.
    Meeting { object: String, missing: Vec<usize>, held: Vec<At> },
    /// Elsewhere.
    Elsewhere,
}

impl Field for Blocked {
    const PARTS: &'static [&'static str] = &[
        "at",
        "object",
        "parity",
        "initialised",
        "phase",
        "arrived",
        "expected",
        "bytes",
        "missing",
        "held",
    ];

    fn write(&self, name: &str, out: &mut Fields<'_>) {
        match self {
            Self::Mbarrier { object, asked, counts } => {
                out.field(name, &"mbarrier");
                out.field("object", object);
                if let Asked::Parity(parity) = asked {
                    out.field("parity", &(parity & 1));
                }
                counts.write(name, out);
            }
            Self::Lanes { object } => {
                out.field(name, &"lanes");
                out.field("object", object);
            }
            Self::Bar { object, arrived, threads } => {
                out.field(name, &"bar");
                out.field("object", object);
                out.field("arrived", arrived);
                out.field("expected", threads);
            }
            Self::Meeting { object, missing, held } => {
                out.field(name, &"meeting");
                out.field("object", object);
                out.field("missing", missing);
                out.field("held", held);
            }
            Self::Elsewhere => out.field(name, &"elsewhere"),
        }
    }
}

causes! {
    /// Causes of findings about barriers, copies and memory of NVIDIA.
    Ptx {
        /// An operation arrives in a phase before a wait observed the previous one.
        ArrivesEarly "arrives-before-wait" { operation: Act, object: String, phase: u32 };
        /// An operation exceeds the expected arrivals.
        OverArrives "too-many-arrivals" { operation: Act, object: String };
        /// An operation is marked .noComplete but completes a phase.
        CompletesUnmarked "completes-despite-nocomplete" { operation: Act, object: String, phase: u32 };
        /// An expect_tx sets the tx-count to zero after the last arrival.
        LateExpect "expect-after-last-arrival" { operation: Act, object: String };
        /// A wait returns on a phase, but in other schedules on an earlier one of the same parity.
        Alias "parity-alias" { operation: Act, object: String, phase: u32 };
        /// A wait misses a phase and waits for another of the same parity; without a number, the start of phase 0.
        MissesPhase "misses-phase" { operation: At, object: String, missed: Option<u32>, matched: Option<u32> };
        /// A wait returns at once, before phase 0 completes.
        FirstParity "returns-before-first-phase" { operation: Act, object: String };
        /// A wait waits for a phase that is neither current nor previous.
        OutsideWindow "phase-outside-window" { operation: Act, object: String };
        /// An operation uses another thread count than the barrier.
        OtherCount "thread-count-differs" { operation: Act, object: String };
        /// An operation arrives again before the barrier completed.
        ArrivesAgain "arrives-again" { operation: Act, object: String };
        /// A wait at the cluster barrier has no preceding arrive.
        WaitsFirst "cluster-wait-without-arrive" { operation: Act };
        /// An agent ends while an asynchronous operation may still use the shared memory of its CTA.
        EndsWithCopy "ends-with-copy" { operation: Act };
        /// An operation accesses an object whose CTA may have ended.
        EndedCta "cta-may-have-ended" { operation: Act, object: String };
        /// An operation breaks the rule as its statement says.
        Broken "rule-broken-by" { operation: Act, rule: tidegate_model::rule::RuleId };
        /// An operation names an object of a CTA that does not exist.
        NoCta "no-such-cta" { operation: Act };
        /// An operation is not ordered after the init of an object.
        InitUnordered "not-ordered-after-init" { operation: Act, object: String };
        /// An operation uses an object that is not initialised.
        Uninitialised "use-without-init" { operation: Act, object: String };
        /// Agents are blocked.
        Blocked "blocked" { agents: Vec<usize>, at: Blocked };
        /// Barriers are allocated with an arrive_count that their arrives do not make.
        ArriveCount "arrive-count-differs" { objects: Vec<String>, count: i64, arrivals: i64 };
        /// An operation makes several arrivals in one call.
        SeveralArrivals "several-arrivals" { operation: At, arrivals: i64 };
        /// An operation uses a parity of which only the lowest bit counts.
        WideParity "parity-too-wide" { operation: At, parity: i64 };
    }
}

causes! {
    /// Facts below a cause: counts, phases and what can still arrive.
    PtxFact {
        /// An operation completed a phase.
        CompletedBy "phase-completed-by" { phase: u32, operation: Option<Act> };
        /// More agents arrive at an object than a phase of it expects.
        MoreArrive "more-agents-arrive" { object: String, expected: i32, agents: Vec<usize> };
        /// One operation makes several arrivals, of every active thread or of its count.
        MakesArrivals "makes-arrivals" { operation: Act, arrivals: i64, threads: bool };
        /// The counts of an object.
        CountsAre "counts" { counts: Counts };
        /// The operation is the last missing arrival.
        LastMissing "last-missing-arrival" { counts: Counts };
        /// An expect_tx does not complete the phase.
        ExpectCompletesNothing "expect-completes-nothing";
        /// The counts before the operation.
        CountsBefore "counts-before" { counts: Counts };
        /// The earliest phase that a wait matches, and the one that it matches here; without a number, the start of phase 0.
        EarliestMatch "earliest-match" { object: String, earliest: Option<u32>, matched: Option<u32> };
        /// The wait is not ordered before later phases of the same parity.
        LaterPhases "not-ordered-before-later-phases";
        /// No phase of parity 1 precedes phase 0.
        NoPhaseBefore "no-phase-before-first";
        /// It is intended if there is nothing to wait for.
        MayBeMeant "may-be-intended";
        /// A wait for the first phase uses parity 0.
        FirstIsZero "first-phase-has-parity-0";
        /// The current phase.
        CurrentPhase "current-phase" { phase: u32 };
        /// The earlier arrives of the agent.
        ArrivedWith "arrived-with" { arrives: Vec<At> };
        /// No wait observed the completion of copies.
        NotObserved "completion-not-observed" { copies: Vec<At> };
        /// Every warp of that CTA has ended in this schedule.
        WarpsEnded "warps-have-ended";
        /// Other lanes of the warp wait for the whole warp, and others have ended.
        Lanes "lanes-elsewhere" { waiting: Vec<At>, ended: Vec<usize> };
        /// A CTA barrier ends with arrivals.
        Leftover "arrivals-left-over" { object: String, arrived: u32, expected: u32, arrives: Vec<At> };
        /// Earlier arrivals in the generation of a barrier, where it matters at `another` instruction.
        Generation "generation-arrivals" { arrives: Vec<At>, another: bool };
        /// A change of the tx-count, by completing or expecting bytes, leaves its range.
        TxRange "tx-count-out-of-range" { object: String, count: i32, completes: bool, bytes: i64, result: i64 };
        /// The operand of an operation is an object of another CTA.
        Remote "operand-of-other-cta" { agent: usize, cta: u32, object: String, owner: u32 };
        /// A token is from an arrive that is not marked .noComplete.
        TokenFrom "token-from" { arrive: At };
        /// No arrive returned the token.
        NoToken "no-token";
        /// A drop leaves fewer expected arrivals than allowed.
        DropsTo "drop-leaves" { object: String, expected: i32, dropped: i64, left: i64 };
        /// A count is out of range.
        CountIs "count-out-of-range" { count: i64 };
        /// The pending count is at its maximum, and the operation adds one.
        PendingFull "pending-count-full" { object: String, pending: i32 };
        /// An init made the object valid, and no inval follows.
        InitialisedBy "initialised-by" { init: At };
        /// A thread count is not a multiple of the warp size.
        NotMultiple "not-a-warp-multiple" { threads: i64 };
        /// An agent waits at the cluster barrier without having arrived.
        NeverArrived "cluster-never-arrived" { agent: usize };
        /// An agent has already waited for the phase of its arrive.
        AlreadyWaited "cluster-already-waited" { agent: usize, arrive: At };
        /// An agent has not waited since its arrive, whose phase is complete or not.
        NotWaited "cluster-not-waited" { agent: usize, arrive: At, complete: bool };
        /// The cluster has no CTA of that rank.
        NoRank "no-such-rank" { rank: i64 };
        /// The init happened first here, but is not ordered before the use.
        InitByChance "init-first-by-chance" { init: Act };
        /// An operation invalidated the object, and no init follows.
        Invalidated "invalidated-by" { inval: Act };
        /// The init comes later in this order.
        InitLater "init-later" { init: At };
        /// No agent initialises the object.
        NoInit "no-init";
        /// A copy is in flight and completes bytes.
        InFlight "copy-in-flight" { copy: At, bytes: u32 };
        /// An asynchronous arrive happens when its copies are complete.
        ArrivePending "arrive-in-flight" { operation: At };
        /// An operation raises the pending count before it arrives.
        NetZero "arrive-raises-pending" { operation: Act };
        /// An expect_tx set the tx-count to zero after the last arrival.
        ExpectLate "late-expect" { operation: Option<Act> };
        /// No copy to the object is in flight, and no remaining operation starts one.
        NoCopy "no-copy-remains";
        /// No remaining arrive expects the other bytes.
        NoExpect "no-expect-remains" { bytes: i64 };
        /// A wait for the parity of a completed phase would return now.
        WouldReturn "other-parity-would-return" { phase: u32 };
        /// The arrives of a barrier expect bytes.
        ArrivesExpect "arrives-expect-bytes";
        /// Warp groups, or waves, arrive at a barrier.
        GroupsArrive "groups-arrive" { groups: i64, arrivals: i64, waves: bool };
        /// TLX recommends one arrival for each call.
        OneRecommended "one-arrival-recommended";
        /// The parity that it waits for.
        LowParity "parity-waited-for" { parity: i64 };
        /// Threads never arrive.
        ThreadsMissing "threads-missing" { missing: i64, expected: i64 };
    }
}

causes! {
    /// Races of NVIDIA, and why nothing orders their accesses.
    PtxRace {
        /// Two accesses of the same memory are unordered; the copy that an operation started can make them.
        Race "shared-accesses-unordered" { later: Act, later_writes: bool, earlier: Act, earlier_writes: bool, memory: String };
        /// Tensor cores read until the arrive of a commit, and no wait for it is ordered before the access.
        NoCommitWait "commit-not-waited" { earlier: At, later: At };
        /// A copy completes with a phase of an object, and no wait for that phase is ordered before the access.
        NoPhaseWait "copy-phase-not-waited" { object: String, later: At };
        /// An agent has no arrive after its access.
        NoArrive "no-arrive-after-access" { agent: usize, access: Act };
        /// An agent reaches an operation only after the accesses.
        Later "reached-later" { agent: usize, operation: At };
        /// An operation arrives in a phase after the access of its agent.
        ArrivesAfter "arrives-after-access" { operation: Act, phase: Phase, agent: usize };
        /// An agent does not wait for that phase before its access.
        NotAwaited "phase-not-awaited" { agent: usize, access: Act };
        /// A wait observes a phase, in which an operation arrives, but the two do not synchronize.
        NoSynchronization "observed-without-synchronization" { wait: Act, phase: Phase, arrive: Act };
        /// A wait returned false.
        ReturnedFalse "wait-returned-false" { wait: Act };
        /// A wait returned before any phase was complete.
        ReturnedFirst "wait-returned-first" { wait: Act };
        /// A wait returned on a phase.
        ReturnedOn "wait-returned-on" { wait: Act, phase: u32 };
        /// A wait participated in another phase of an object.
        OtherPhase "waited-for-other-phase" { wait: Act, object: String };
        /// A wait participated in another generation.
        OtherGeneration "waited-for-other-generation" { wait: Act };
        /// An operation has the scope of its CTA, and the other agent is in another CTA.
        ScopeOfCta "scope-of-cta" { operation: Act };
        /// An operation is relaxed, and the fence at it has the scope of its CTA.
        FenceOfCta "relaxed-fence-of-cta" { operation: Act, fence: Act };
        /// An operation is relaxed, and no fence releases before it, or acquires after it.
        Relaxed "relaxed-without-fence" { operation: Act, releases: bool };
        /// The release does not reach the wait.
        Unheard "release-does-not-reach";
        /// A wait covers only the source of a copy, not its destination.
        ReadOnly "wait-covers-source-only" { wait: Act, tensor: bool };
        /// A wait covers no group with the copy, because its agent has not committed it.
        NoGroup "wait-covers-no-group" { wait: Act, tensor: bool, agent: usize };
        /// A wait leaves groups incomplete, possibly that of the copy.
        LeavesGroups "wait-leaves-groups" { wait: Act, groups: i64, tensor: bool };
        /// A wait completes the copy for its agent, but is not ordered before the access.
        WaitUnordered "wait-not-ordered-before-access" { wait: Act, tensor: bool, agent: usize, access: At };
        /// An agent has not waited for a copy, which an operation commits to a group.
        GroupUnwaited "group-not-waited" { commit: Option<Act>, tensor: bool, agent: usize };
    }
}
