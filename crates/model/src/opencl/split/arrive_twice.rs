//! `opencl.split.arrive-twice`: A work-item must wait between two arrives at a work-group barrier.
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
    statement: "A work-item must wait between two arrives at a work-group barrier.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Wait before arriving again; work_group_barrier also arrives.",
};

/// Passes if a work-item in this state may arrive.
///
/// # Errors
/// This rule, if the work-item has already arrived.
pub fn check(standing: Split) -> Result<(), RuleId> {
    if standing == Split::Idle { Ok(()) } else { Err(RuleId::OpenclSplitArriveTwice) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_must_separate_two_arrives() {
        assert!(check(Split::Idle).is_ok());
        assert!(check(Split::Arrived).is_err() && check(Split::Complete).is_err());
    }
}
