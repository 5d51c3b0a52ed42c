//! `opencl.split.arrive-twice`: Between two arrives at a work-group barrier a work-item waits.
//!
//! `cl_intel_split_work_group_barrier`, Built-in Work-group Synchronization Functions.

use crate::opencl::machine::state::Split;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.split.arrive-twice",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Between two arrives at a work-group barrier a work-item waits.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Wait before arriving again; a plain work_group_barrier arrives too.",
};

/// Whether a work-item that stands so may arrive.
///
/// # Errors
/// This rule, when it has arrived already.
pub fn check(standing: Split) -> Result<(), RuleId> {
    if standing == Split::Idle { Ok(()) } else { Err(RuleId::OpenclSplitArriveTwice) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_comes_in_between() {
        assert!(check(Split::Idle).is_ok());
        assert!(check(Split::Arrived).is_err() && check(Split::Complete).is_err());
    }
}
