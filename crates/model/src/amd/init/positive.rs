//! `amd.init.positive`: The expected count that an init sets is positive.
//!
//! amdgpu-execution-synchronization, "Barrier Objects; Barrier Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.init.positive",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "The expected count that an init sets is positive.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Objects; Barrier Operations",
    remedy: "Initialise with the number of operations that arrive in a phase, at least 1.",
};
