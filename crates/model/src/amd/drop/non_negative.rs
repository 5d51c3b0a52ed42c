//! `amd.drop.non-negative`: A drop takes one from the expected count and must not make it negative.
//!
//! amdgpu-execution-synchronization, "Barrier Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.drop.non-negative",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A drop takes one from the expected count and must not make it negative.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Operations",
    remedy: "Drop at most as often as the expected count allows.",
};
