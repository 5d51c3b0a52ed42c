//! `async.redundant-mark`: Some later wait of the same function body must be able to complete each mark.
//!
//! amdgpu-async-operations, "Optimization".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.redundant-mark",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Some later wait of the same function body must be able to complete each mark.",
    document: "amdgpu-async-operations",
    section: "Optimization",
    remedy: "Remove the mark, or wait for it.",
};
