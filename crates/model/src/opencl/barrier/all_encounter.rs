//! `opencl.barrier.all-encounter`: All work-items of the group must execute the same dynamic instance of a barrier: the same call, call path and loop iteration.
//!
//! `opencl-cpp-synchronization`, work_group_barrier; sub_group_barrier.

use crate::opencl::action::Instance;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.barrier.all-encounter",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "All work-items of the group must execute the same dynamic instance of a barrier: the same call, call path and loop iteration.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier",
    remedy: "Move the barrier out of the conditional or loop, or make the control flow uniform across the group.",
};

/// Passes if two work-items of the group execute the same dynamic instance.
///
/// # Errors
/// This rule, if they do not.
pub fn check(one: Instance, other: Instance) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclBarrierAllEncounter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_and_iteration_identify_an_instance() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check(at, at), Ok(()));
        assert!(check(at, Instance { site: 2, ..at }).is_err());
        assert!(check(at, Instance { round: 1, ..at }).is_err());
    }
}
