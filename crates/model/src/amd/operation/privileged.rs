//! `amd.operation.privileged`: The trap barriers, IDs -2 and -4, are reserved for the trap handler.
//!
//! amdgpu-execution-synchronization, "s_barrier IDs GFX12".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.operation.privileged",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "The trap barriers, IDs -2 and -4, are reserved for the trap handler.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier IDs GFX12",
    remedy: "Use ID -1 or -3.",
};
