//! `async.redundant-wait`: A wait for marks should find more marks outstanding than it allows.
//!
//! amdgpu-async-operations, "Optimization".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.redundant-wait",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "A wait for marks should find more marks outstanding than it allows.",
    document: "amdgpu-async-operations",
    section: "Optimization",
    remedy: "Remove the wait, or lower the number of marks that it allows.",
};
