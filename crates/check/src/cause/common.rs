//! Causes and facts that several families share.

use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;

causes! {
    /// Causes and facts that several families share.
    Common {
        /// An operation breaks the rule as its statement says.
        Rule "rule-broken" { operation: Option<At>, rule: RuleId };
        /// Waits never return.
        NeverReturn "waits-never-return" { waits: Vec<At> };
        /// Agents wait on an object without having arrived.
        WithoutArriving "waits-without-arriving" { agents: Vec<usize>, object: String };
        /// Every agent is blocked or has ended.
        NoAgent "no-agent-continues";
        /// The agents that are not blocked loop forever.
        Forever "other-agents-loop";
        /// No remaining operation arrives at the object.
        Nobody "no-arrive-remains";
        /// Agents can still arrive.
        CanArrive "can-still-arrive" { agents: Vec<usize> };
        /// Agents would arrive later, but are blocked; `at` has their operations where they are known.
        HeldBack "blocked-before-arrive" { agents: Vec<usize>, at: Vec<At> };
        /// The next arrives of waiting agents come after their waits.
        OwnLater "arrives-after-wait" { agents: Vec<usize>, waiting: u32 };
        /// In a phase of an object, some agents have arrived and others have not.
        Arrived "phase-half-arrived" { object: String, phase: u32, arrived: Vec<usize>, missing: Vec<usize> };
        /// An operation is not ordered before another; without `later`, before the start of the copy.
        Unordered "not-ordered-before" { earlier: At, later: Option<At> };
        /// The arguments or data for which the finding occurs; not `decisive` if it occurs for others, too; `always` if it
        /// then occurs in every schedule.
        Passed "arguments" { arguments: String, decisive: bool, always: bool };
    }
}
