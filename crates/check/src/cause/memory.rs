//! Causes and facts about memory of AMDGPU: races, fences, asynchronous copies and marks.

use super::field::Word;
use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::mem::order::Reach;
use tidegate_model::verdict::Verdict;

/// How bytes are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct How {
    /// Whether they are written.
    pub write: bool,
    /// Whether an asynchronous copy accesses them.
    pub copy: bool,
}

impl Word for How {
    fn word(&self) -> &'static str {
        match (self.write, self.copy) {
            (true, false) => "writes",
            (false, false) => "reads",
            (true, true) => "writes asynchronously",
            (false, true) => "reads asynchronously",
        }
    }
}

impl Word for Space {
    fn word(&self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Global => "global",
        }
    }
}

impl Word for Reach {
    fn word(&self) -> &'static str {
        match self {
            Self::Workgroup => "workgroup",
            Self::Cluster => "cluster",
            Self::Agent => "agent",
        }
    }
}

impl Word for Verdict {
    fn word(&self) -> &'static str {
        Self::word(*self)
    }
}

causes! {
    /// Causes and facts about memory of AMDGPU: races, fences, asynchronous copies and marks.
    Memory {
        /// Two accesses of the same bytes are unordered; `first` and `last` are byte offsets in the memory.
        Race "accesses-unordered" { later: At, later_does: How, earlier: At, earlier_does: How, memory: String, first: u32, last: u32 };
        /// Further accesses that the same operation races with.
        AlsoRaces "also-races" { accesses: Vec<At> };
        /// Only a drop connects two accesses, and a drop releases nothing.
        OnlyDrop "only-drop-between" { drop: At };
        /// An arrive is before a wait, which orders execution but not memory.
        ExecutionOnly "execution-order-only" { arrive: At, wait: At };
        /// Memory order requires a release fence before the arrive and an acquire fence after the wait.
        FencesRequired "fences-required";
        /// An agent has no release between its access, or the completion of its `copy`, and an arrive.
        NoRelease "release-missing" { agent: usize, copy: bool, arrive: At };
        /// An agent has no acquire between a wait and its access.
        NoAcquire "acquire-missing" { agent: usize, wait: At };
        /// A fence is one-as and synchronises with no other agent.
        OneAs "fence-one-as" { fence: At, agent: usize };
        /// A fence does not include the address space of the bytes.
        SpaceMissing "fence-space-missing" { fence: At, space: Space };
        /// The scope of a fence does not include both agents.
        ScopeNarrow "fence-scope-narrow" { fence: At, required: Reach };
        /// A fence is sufficient.
        FenceFine "fence-sufficient" { fence: At };
        /// No mark is between a copy and the operation that requires it complete.
        Unmarked "copy-unmarked" { copy: At, until: At };
        /// No wait for marks is between the mark of a copy and the operation that requires it complete.
        Unwaited "mark-unwaited" { mark: At, until: At };
        /// No wait completes a copy, which is a mark by itself, before the operation that requires it complete.
        NotWaited "copy-not-waited" { copy: At, until: At };
        /// A wait leaves the mark of the copy outstanding.
        LeavesMark "mark-left-outstanding" { wait: At, leaves: u16, following: u16 };
        /// A mark and a wait are in different function bodies.
        OtherBody "mark-in-other-function" { mark: At, wait: At };
        /// A wait completes the copy.
        Completes "wait-completes-copy" { wait: At };
        /// In the first revision, a completed copy is ordered only before overlapping operations of its agent.
        FirstRevision "copy-ordered-for-agent-only" { agent: usize };
        /// An operation reads the value of another, and a third overwrites it.
        Overwritten "value-overwritten" { read: At, written: At, overwrites: At };
        /// An agent has no wait before its access.
        NoWait "no-wait-before-access" { agent: usize, access: At };
        /// No arrive of `other` after its access is ordered before the last wait of an agent before its access.
        WaitTooEarly "wait-too-early" { agent: usize, access: At, wait: At, other: usize, other_access: At };
        /// Two agents are in different clusters.
        ClustersApart "different-clusters" { agents: Vec<usize> };
        /// Two agents are in different workgroups, and the target has no wider barrier.
        WorkgroupsApart "different-workgroups" { agents: Vec<usize>, target: String };
        /// A barrier is issued with outstanding memory operations.
        IssuedOutstanding "issued-with-outstanding" { operation: At };
        /// The operations that a counter counts as outstanding.
        Outstanding "counter-outstanding" { counter: String, operations: Vec<At> };
        /// The target has no back-off barrier.
        NoBackOff "no-back-off-barrier";
        /// A wait completes more copies than any access requires.
        WaitsForMore "waits-for-more-than-required" { operation: At };
        /// The number of marks that a wait may leave outstanding.
        MayLeave "may-leave-outstanding" { marks: u16 };
        /// The help was not checked everywhere, because there are too many states.
        HelpUnchecked "help-unchecked";
        /// The help is not sufficient everywhere.
        HelpInsufficient "help-insufficient";
        /// The help fixes a part; another race remains.
        AnotherRace "another-race-remains" { title: String };
        /// A copy has no mark after it, on every path or only on some.
        NoMark "copy-without-mark" { operation: At, always: bool };
        /// No wait for marks can complete the copy.
        NeverCompleted "copy-never-completed";
        /// A wait waits for no mark.
        WaitsForNone "waits-for-no-mark" { operation: At };
        /// The largest number of outstanding marks at a wait.
        MarksThere "marks-outstanding" { marks: u32 };
        /// No wait of the function body completes a mark.
        MarkUnused "mark-never-completed" { operation: At };
        /// A wait counts the mark as outstanding.
        MarkCounted "mark-counted";
        /// The copies that a wait completes depend on inlining.
        Inlining "depends-on-inlining" { operation: At };
        /// Marks of a function count in its own sequence, or after inlining in that of the caller.
        OwnSequence "marks-by-function";
        /// The copies that a wait completes as written, and the verdict.
        AsWritten "completes-as-written" { copies: Vec<At>, verdict: Verdict };
        /// The copies that a wait completes after inlining, and the verdict.
        Inlined "completes-inlined" { copies: Vec<At>, verdict: Verdict };
    }
}
