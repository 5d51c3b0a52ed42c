//! `opencl.split.wait-first`: A work-item may wait at a split work-group barrier only after it arrives there, once for each arrive.
//!
//! `cl_intel_split_work_group_barrier`, Built-in Work-group Synchronization Functions.

use crate::opencl::machine::state::Split;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.split.wait-first",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A work-item may wait at a split work-group barrier only after it arrives there, once for each arrive.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Arrive before the wait.",
};

/// Passes if a work-item in this state may wait.
///
/// # Errors
/// This rule, if the work-item has not arrived.
pub fn check(standing: Split) -> Result<(), RuleId> {
    if standing == Split::Idle { Err(RuleId::OpenclSplitWaitFirst) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_requires_an_arrive() {
        assert!(check(Split::Idle).is_err());
        assert!(check(Split::Arrived).is_ok() && check(Split::Complete).is_ok());
    }
}
