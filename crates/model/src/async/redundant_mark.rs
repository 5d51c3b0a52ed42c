//! `async.redundant-mark`: Every mark can be completed by some later wait of its function body.
//!
//! amdgpu-async-operations, "Optimization".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.redundant-mark",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Every mark can be completed by some later wait of its function body.",
    document: "amdgpu-async-operations",
    section: "Optimization",
    remedy: "Remove the mark, or wait for it.",
};
