//! `opencl.named.sub-group-uniform`: Every work-item of a sub-group executes the same dynamic instance of a wait on a named barrier.
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
    statement: "Every work-item of a sub-group executes the same dynamic instance of a wait on a named barrier.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Let the whole sub-group go the same way: branch on get_sub_group_id(), not on the work-item.",
};

/// Whether two work-items of a sub-group wait at the same object and instance.
///
/// # Errors
/// This rule, when they do not.
pub fn check(one: (u16, Instance), other: (u16, Instance)) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclNamedSubGroupUniform) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_and_instance() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check((0, at), (0, at)), Ok(()));
        assert!(check((0, at), (1, at)).is_err());
        assert!(check((0, at), (0, Instance { site: 2, ..at })).is_err());
    }
}
