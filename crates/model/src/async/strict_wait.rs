//! `async.strict-wait`: A wait for marks should allow as many outstanding marks as the accesses after it permit.
//!
//! amdgpu-async-operations, "Software pipeline".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.strict-wait",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "A wait for marks should allow as many outstanding marks as the accesses after it permit.",
    document: "amdgpu-async-operations",
    section: "Software pipeline",
    remedy: "Raise the number of marks that the wait allows.",
};
