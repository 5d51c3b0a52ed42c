//! `amd.join.before-wait`: A wait on a named barrier object needs a join that is barrier-joined-before it and that executes before something that takes part in the wait.
//!
//! amdgpu-execution-synchronization, "Join and Wait Ordering".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.before-wait",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A wait on a named barrier object needs a join that is barrier-joined-before it and that executes before something that takes part in the wait.",
    document: "amdgpu-execution-synchronization",
    section: "Join and Wait Ordering",
    remedy: "Join before the phase that the wait needs can complete: order the join before an arrive of that phase.",
};
