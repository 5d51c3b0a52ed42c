//! `async.unmarked`: Every asynchronous copy must be covered by a mark.
//!
//! amdgpu-async-operations, "Async Mark Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.unmarked",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Every asynchronous copy must be covered by a mark.",
    document: "amdgpu-async-operations",
    section: "Async Mark Operations",
    remedy: "Add an asyncmark after the copy.",
};
