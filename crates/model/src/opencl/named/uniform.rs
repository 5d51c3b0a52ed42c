//! `opencl.named.uniform`: A named barrier is constructed by every work-item of the work-group, in the same place and round, with the same count.
//!
//! `opencl-cpp-synchronization`, work_group_named_barrier.

use crate::opencl::action::Instance;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.uniform",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A named barrier is constructed by every work-item of the work-group, in the same place and round, with the same count.",
    document: "opencl-cpp-synchronization",
    section: "work_group_named_barrier",
    remedy: "Construct it where every work-item of the work-group comes by, with a count that is the same for all.",
};

/// Whether two work-items construct an object alike: where, and with which count.
///
/// # Errors
/// This rule, when they do not.
pub fn check(one: (Instance, u32), other: (Instance, u32)) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclNamedUniform) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_round_and_count() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check((at, 2), (at, 2)), Ok(()));
        assert!(check((at, 2), (at, 3)).is_err());
        assert!(check((at, 2), (Instance { round: 1, ..at }, 2)).is_err());
    }
}
