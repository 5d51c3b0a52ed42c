//! `async.unsupported`: Asynchronous copies and their marks are supported only on GFX9, GFX10 and GFX12.5.
//!
//! amdgpu-async-operations, "LDS DMA Operations", names GFX9 and GFX10 only. GFX12.5 is from a later revision of LLVM's
//! page of the same name.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "Asynchronous copies and their marks are supported only on GFX9, GFX10 and GFX12.5.",
    document: "amdgpu-async-operations",
    section: "LDS DMA Operations (GFX9, GFX10); a later revision of LLVM's page (GFX12.5)",
    remedy: "",
};
