//! Causes and facts about barriers and memory of OpenCL.

use super::field::{Field, Fields, Word};
use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;

/// The work-items that must reach a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The work-items of the work-group.
    Work,
    /// The work-items of the sub-group.
    Sub,
}

impl Word for Group {
    fn word(&self) -> &'static str {
        match self {
            Self::Work => "work-group",
            Self::Sub => "sub-group",
        }
    }
}

/// Where work-items are blocked, and what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// At a named barrier, for work-items of the sub-group.
    Named { object: String, missing: Vec<usize> },
    /// At a named barrier, for other sub-groups.
    Count { object: String, waiting: u32, expected: u32 },
    /// At a barrier of a group.
    Group { group: Group, missing: Vec<usize> },
    /// At the wait of a split barrier.
    Split { missing: Vec<usize> },
    /// At no barrier.
    Elsewhere,
}

impl Field for Blocked {
    const PARTS: &'static [&'static str] = &["at", "object", "missing", "arrived", "expected"];

    fn write(&self, name: &str, out: &mut Fields<'_>) {
        match self {
            Self::Named { object, missing } => {
                out.field(name, &"named");
                out.field("object", object);
                out.field("missing", missing);
            }
            Self::Count { object, waiting, expected } => {
                out.field(name, &"named");
                out.field("object", object);
                out.field("arrived", waiting);
                out.field("expected", expected);
            }
            Self::Group { group, missing } => {
                out.field(name, group);
                out.field("missing", missing);
            }
            Self::Split { missing } => {
                out.field(name, &"split");
                out.field("missing", missing);
            }
            Self::Elsewhere => out.field(name, &"elsewhere"),
        }
    }
}

causes! {
    /// Causes and facts about barriers and memory of OpenCL.
    Opencl {
        /// Not every work-item of a group reaches a barrier.
        NotReached "barrier-not-reached" { operation: At, group: Group };
        /// A work-item returns without reaching a barrier on which others wait.
        Returns "returns-early" { agent: usize };
        /// An operation waits for a work-item.
        WaitsFor "waits-for" { operation: At, agent: usize };
        /// A work-item ends without reaching the barrier.
        EndsWithout "ends-without-reaching" { agent: usize };
        /// A work-item is at the same call in another iteration of an enclosing loop.
        OtherIteration "in-other-iteration" { operation: At };
        /// A work-item is at another barrier.
        OtherBarrier "at-other-barrier" { operation: At };
        /// Neither work-item can continue without the other.
        Neither "neither-continues";
        /// A `return` ends a work-item, which never reaches the barrier.
        EndsItem "return-ends" { operation: At };
        /// A work-item has ended and never reaches the barrier.
        HasEnded "has-ended" { agent: usize };
        /// A work-item ends without its arrive or wait at the split barrier.
        EndsSplit "ends-before-split-barrier" { agent: usize };
        /// A work-item has arrived at the split barrier.
        HasArrived "has-arrived" { agent: usize };
        /// An operation has other flags or another scope than another work-item there.
        OtherArguments "arguments-differ" { operation: At };
        /// An operation has other arguments.
        HasOther "has-other-arguments" { operation: At };
        /// An operation completes a phase that more sub-groups than the count have reached.
        OverSubscribed "over-subscribed" { operation: At };
        /// A work-item is also about to wait there.
        AlsoWaits "also-waits" { agent: usize };
        /// An operation arrives at the split barrier again before its wait.
        ArrivesTwice "arrives-twice" { operation: At };
        /// The earlier arrive.
        ArrivedWith "split-arrived-with" { arrive: At };
        /// An operation waits without a preceding arrive.
        WaitsFirst "waits-without-arrive" { operation: At };
        /// A construction is not executed uniformly by the work-group.
        NotUniform "not-uniform" { operation: At };
        /// A work-item skips a construction that others execute.
        Skips "skips-construction" { agent: usize };
        /// A work-item never constructs a barrier that others construct.
        NeverConstructs "never-constructs" { agent: usize, object: String };
        /// Another work-item executes an operation.
        OtherExecutes "other-executes" { operation: At };
        /// A work-item has ended without it.
        EndedWithout "ended-without" { agent: usize };
        /// Two operations access the same bytes, and the two are unordered.
        Race "work-item-accesses-unordered" { later: At, earlier: At, memory: String };
        /// An operation races.
        Races "races" { operation: At };
        /// An access is between an arrive at a split barrier and its wait.
        BetweenHalves "between-halves" { access: At, arrive: At };
        /// No barrier between two accesses is reached by both work-items.
        NoBarrier "no-barrier-between" { agents: Vec<usize> };
        /// The flags of a barrier between two accesses do not include the memory.
        NoFlag "barrier-flag-missing" { barrier: At, space: &'static str, flag: String };
        /// The scope of a barrier between two accesses does not include both.
        ScopeNarrow "barrier-scope-narrow" { barrier: At };
        /// Not every call at the barrier between two accesses orders the memory.
        NotEveryCall "not-every-call-orders" { barrier: At, space: &'static str };
        /// Work-items are blocked.
        Blocked "work-items-blocked" { agents: Vec<usize>, at: Blocked };
        /// Work-items that have not arrived, those of a sub-group together.
        Missing "work-items-missing" { agents: Vec<String> };
        /// A work-item, and more, ended without arriving.
        Ended "ended-without-arriving" { agent: usize, more: u32 };
        /// An operation exceeds the portable limit of named barriers.
        Exceeds "portable-limit-exceeded" { operation: At, limit: u32 };
        /// The number of named barriers that the work-group constructs.
        Constructs "constructs" { count: u32 };
        /// The type of named barriers does not allow a use, as the description of the use says.
        Restricted "type-restriction" { description: String };
    }
}
