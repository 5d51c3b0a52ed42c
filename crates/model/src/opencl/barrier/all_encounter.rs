//! `opencl.barrier.all-encounter`: Every work-item of the group executes the same dynamic instance of a barrier: the same call, reached by the same calls, in the same round of each loop around it.
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
    statement: "Every work-item of the group executes the same dynamic instance of a barrier: the same call, reached by the same calls, in the same round of each loop around it.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier",
    remedy: "Move the barrier out of the conditional or the loop, or let every work-item of the group go the same way.",
};

/// Whether two work-items of the group meet the same dynamic instance.
///
/// # Errors
/// This rule, when they do not.
pub fn check(one: Instance, other: Instance) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclBarrierAllEncounter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_and_round_make_an_instance() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check(at, at), Ok(()));
        assert!(check(at, Instance { site: 2, ..at }).is_err());
        assert!(check(at, Instance { round: 1, ..at }).is_err());
    }
}
