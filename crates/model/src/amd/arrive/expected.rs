//! `amd.arrive.expected`: An arrive that sets a new expected count must set it above the arrive count that it finds.
//!
//! amdgpu-execution-synchronization, "Barrier Operations".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.arrive.expected",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "An arrive that sets a new expected count must set it above the arrive count that it finds.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Operations",
    remedy: "Set the expected count to more than what has already arrived.",
};
