//! `amd.wait.never-completes`: Every wait must complete. A wait that is blocked when no agent can continue is stuck; the specification calls this undefined.
//!
//! amdgpu-execution-synchronization, "Informational Notes".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.wait.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every wait must complete. A wait that is blocked when no agent can continue is stuck; the specification calls this undefined.",
    document: "amdgpu-execution-synchronization",
    section: "Informational Notes",
    remedy: "Add the missing arrive, or wait once for each phase.",
};
