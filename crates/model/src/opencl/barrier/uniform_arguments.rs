//! `opencl.barrier.uniform-arguments`: All work-items that meet at a barrier pass it the same flags and the same scope.
//!
//! `opencl-cpp-synchronization`, work_group_barrier; sub_group_barrier; wait.

use crate::opencl::action::Arguments;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.barrier.uniform-arguments",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "All work-items that meet at a barrier pass it the same flags and the same scope.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier; wait",
    remedy: "Compute flags and scope from what is the same for every work-item of the group.",
};

/// Whether two work-items that meet passed the same.
///
/// # Errors
/// This rule, when they did not.
pub fn check(one: Arguments, other: Arguments) -> Result<(), RuleId> {
    if (one.flags, one.scope) == (other.flags, other.scope) {
        Ok(())
    } else {
        Err(RuleId::OpenclBarrierUniformArguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::{Flags, Scope};

    #[test]
    fn a_default_is_its_value() {
        let default = Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false };
        assert_eq!(check(default, Arguments { given: true, ..default }), Ok(()));
        assert!(check(default, Arguments { flags: Flags::GLOBAL, ..default }).is_err());
        assert!(check(default, Arguments { scope: Scope::Device, ..default }).is_err());
    }
}
