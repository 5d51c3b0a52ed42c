//! `amd.barrier.outstanding-memory`: On a target without the back-off barrier, no memory operation may be outstanding when s_barrier issues.
//!
//! amdgpu-execution-synchronization, "s_barrier GFX6-11".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.barrier.outstanding-memory",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "On a target without the back-off barrier, no memory operation may be outstanding when s_barrier issues.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier GFX6-11",
    remedy: "Wait for the counters before the barrier: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0).",
};
