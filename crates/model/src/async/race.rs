//! `async.race`: An asynchronous copy is ordered by happens-before against every other access to the bytes that it reads and writes.
//!
//! amdgpu-async-operations, "Memory Consistency Model".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.race",
    class: Some(Class::Race),
    force: Force::Requires,
    statement: "An asynchronous copy is ordered by happens-before against every other access to the bytes that it reads and writes.",
    document: "amdgpu-async-operations",
    section: "Memory Consistency Model",
    remedy: "Mark after the copy and wait for that mark before the bytes are used.",
};
