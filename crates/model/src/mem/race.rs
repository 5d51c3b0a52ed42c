//! `mem.race`: Two accesses by different agents to the same bytes must be ordered by happens-before if one of them is a write.
//!
//! amdgpu-execution-synchronization, "Execution Model".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mem.race",
    class: Some(Class::Race),
    force: Force::Requires,
    statement: "Two accesses by different agents to the same bytes must be ordered by happens-before if one of them is a write.",
    document: "amdgpu-execution-synchronization",
    section: "Execution Model",
    remedy: "Add a release fence before an arrive and an acquire fence after the wait that it participates in, at a scope that includes both agents.",
};
