//! `amd.object.unsupported`: A program may use only barrier objects that its target provides.
//!
//! amdgpu-execution-synchronization, "s_barrier IDs GFX12".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.object.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "A program may use only barrier objects that its target provides.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier IDs GFX12",
    remedy: "Use a target that provides the object, or an object that this target provides.",
};
