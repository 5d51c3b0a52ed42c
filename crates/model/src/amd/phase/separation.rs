//! `amd.phase.separation`: Between an operation that takes part in a wait and that wait no operation of another phase of the same object stands, if some wait depends on that other phase.
//!
//! amdgpu-execution-synchronization, "Barrier phase separation".

use crate::rule::{Force, Rule};

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.phase.separation",
    class: None,
    force: Force::Constrains,
    statement: "Between an operation that takes part in a wait and that wait no operation of another phase of the same object stands, if some wait depends on that other phase.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier phase separation",
    remedy: "",
};
