//! `amd.join.before-drop`: A drop of a named barrier object needs a join of the same agent that is barrier-joined-before it.
//!
//! amdgpu-execution-synchronization, "Join and Drop Ordering".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.before-drop",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A drop of a named barrier object needs a join of the same agent that is barrier-joined-before it.",
    document: "amdgpu-execution-synchronization",
    section: "Join and Drop Ordering",
    remedy: "Join the object before the drop, with no join or drop in between.",
};
