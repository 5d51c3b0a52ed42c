//! `amd.barrier.wave-uniform`: A wave must execute a barrier operation in wave-uniform control flow: all its lanes execute the same operation.
//!
//! amdgpu-execution-synchronization, "s_barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.barrier.wave-uniform",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A wave must execute a barrier operation in wave-uniform control flow: all its lanes execute the same operation.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier",
    remedy: "Move the operation out of the divergent branch.",
};
