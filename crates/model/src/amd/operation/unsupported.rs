//! `amd.operation.unsupported`: A program may use only operations that its target provides, in the form and on the object that it provides them for.
//!
//! amdgpu-execution-synchronization, "s_barrier GFX6-11; s_barrier GFX12".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.operation.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "A program may use only operations that its target provides, in the form and on the object that it provides them for.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier GFX6-11; s_barrier GFX12",
    remedy: "Use a target that provides the operation, or a form that this target provides.",
};
