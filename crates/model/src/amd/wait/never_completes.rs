//! `amd.wait.never-completes`: Every wait completes. A wait that stays blocked when no agent can go on never does, which the text calls undefined.
//!
//! amdgpu-execution-synchronization, "Informational Notes".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.wait.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every wait completes. A wait that stays blocked when no agent can go on never does, which the text calls undefined.",
    document: "amdgpu-execution-synchronization",
    section: "Informational Notes",
    remedy: "Add the arrive that the phase lacks, or wait once for each phase.",
};
