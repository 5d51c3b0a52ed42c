//! `async.strict-wait`: A wait for marks lets as many run as the accesses behind it allow.
//!
//! amdgpu-async-operations, "Software pipeline".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.strict-wait",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "A wait for marks lets as many run as the accesses behind it allow.",
    document: "amdgpu-async-operations",
    section: "Software pipeline",
    remedy: "Let the wait allow more marks.",
};
