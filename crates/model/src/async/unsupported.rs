//! `async.unsupported`: Asynchronous copies and their marks are used on targets that have them: GFX9, GFX10 and GFX12.5.
//!
//! amdgpu-async-operations, "LDS DMA Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "Asynchronous copies and their marks are used on targets that have them: GFX9, GFX10 and GFX12.5.",
    document: "amdgpu-async-operations",
    section: "LDS DMA Operations",
    remedy: "",
};
