//! `async.callee-unspecified`: The operations that a wait completes must not depend on whether a call is inlined.
//!
//! amdgpu-async-operations, "Optimization".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.callee-unspecified",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "The operations that a wait completes must not depend on whether a call is inlined.",
    document: "amdgpu-async-operations",
    section: "Optimization",
    remedy: "Let each function wait for its own marks before it returns, and leave no mark outstanding.",
};
