//! `async.race`: An asynchronous copy must be ordered by happens-before with every conflicting access to the bytes that it reads or writes.
//!
//! amdgpu-async-operations, "Memory Consistency Model".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.race",
    class: Some(Class::Race),
    force: Force::Requires,
    statement: "An asynchronous copy must be ordered by happens-before with every conflicting access to the bytes that it reads or writes.",
    document: "amdgpu-async-operations",
    section: "Memory Consistency Model",
    remedy: "Place an asyncmark after the copy, and wait for that mark before the bytes are used.",
};
