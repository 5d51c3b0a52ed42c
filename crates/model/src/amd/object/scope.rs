//! `amd.object.scope`: A barrier object belongs to one instance of its scope and only agents in that instance may use it.
//!
//! amdgpu-execution-synchronization, "Barrier Objects".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.object.scope",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A barrier object belongs to one instance of its scope and only agents in that instance may use it.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Objects",
    remedy: "Use a cluster barrier between workgroups.",
};
