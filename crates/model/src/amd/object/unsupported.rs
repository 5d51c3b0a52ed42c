//! `amd.object.unsupported`: The target has the barrier object.
//!
//! amdgpu-execution-synchronization, "s_barrier IDs GFX12".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.object.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "A program uses only barrier objects that its target has.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier IDs GFX12",
    remedy: "Choose a target that has the object.",
};
