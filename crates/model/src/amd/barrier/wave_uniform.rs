//! `amd.barrier.wave-uniform`: A barrier operation of a wave is performed in wave-uniform control flow: all its lanes stand at the same operation.
//!
//! amdgpu-execution-synchronization, "s_barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.barrier.wave-uniform",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A barrier operation of a wave is performed in wave-uniform control flow: all its lanes stand at the same operation.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier",
    remedy: "Move the operation out of the divergent branch.",
};
