//! `amd.join.named-only`: Only named barrier objects can be joined.
//!
//! amdgpu-execution-synchronization, "Named Barriers Model Extensions: Barrier Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.named-only",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Only named barrier objects can be joined.",
    document: "amdgpu-execution-synchronization",
    section: "Named Barriers Model Extensions: Barrier Operations",
    remedy: "Join a named barrier, or leave the join out: other objects need none.",
};
