//! `amd.phase.separation`: No operation of another phase of an object may occur between a wait on the object and an operation that participates in it. A phase that no wait depends on is exempt.
//!
//! amdgpu-execution-synchronization, "Barrier phase separation".

use crate::rule::{Force, Rule};

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.phase.separation",
    class: None,
    force: Force::Constrains,
    statement: "No operation of another phase of an object may occur between a wait on the object and an operation that participates in it. A phase that no wait depends on is exempt.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier phase separation",
    remedy: "",
};
