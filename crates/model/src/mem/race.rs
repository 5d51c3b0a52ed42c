//! `mem.race`: Two accesses of different agents to the same bytes, one of them a write, are ordered by happens-before.
//!
//! amdgpu-execution-synchronization, "Execution Model".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mem.race",
    class: Some(Class::Race),
    force: Force::Requires,
    statement: "Two accesses of different agents to the same bytes, one of them a write, are ordered by happens-before.",
    document: "amdgpu-execution-synchronization",
    section: "Execution Model",
    remedy: "Order the two accesses: a release fence before an arrive, an acquire fence after the wait that it takes part in, both of a scope that includes both agents.",
};
