//! `amd.operation.unsupported`: The target has the operation on this object.
//!
//! amdgpu-execution-synchronization, "s_barrier GFX6-11; s_barrier GFX12".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.operation.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "A program uses only operations that its target has, on objects for which it has them.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier GFX6-11; s_barrier GFX12",
    remedy: "Choose a target that has the operation, or the form that this target has.",
};
