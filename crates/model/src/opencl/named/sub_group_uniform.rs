//! `opencl.named.sub-group-uniform`: All work-items of a sub-group must execute the same dynamic instance of a wait on a named barrier.
//!
//! `opencl-cpp-synchronization`, wait.

use crate::opencl::action::Instance;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.sub-group-uniform",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "All work-items of a sub-group must execute the same dynamic instance of a wait on a named barrier.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Make the control flow uniform in the sub-group: branch on get_sub_group_id(), not on the work-item.",
};

/// Passes if two work-items of a sub-group wait on the same object and instance.
///
/// # Errors
/// This rule, if they do not.
pub fn check(one: (u16, Instance), other: (u16, Instance)) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclNamedSubGroupUniform) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_and_instance_must_agree() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check((0, at), (0, at)), Ok(()));
        assert!(check((0, at), (1, at)).is_err());
        assert!(check((0, at), (0, Instance { site: 2, ..at })).is_err());
    }
}
