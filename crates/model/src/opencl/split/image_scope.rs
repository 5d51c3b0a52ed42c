//! `opencl.split.image-scope`: A split work-group barrier with the image flag must have work-group scope.
//!
//! `cl_intel_split_work_group_barrier`, Built-in Work-group Synchronization Functions.

use crate::opencl::action::{Flags, Scope};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.split.image-scope",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A split work-group barrier with the image flag must have work-group scope.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Use memory_scope_work_group.",
};

/// Passes if these flags allow this scope.
///
/// # Errors
/// This rule, if they may not.
pub fn check(flags: Flags, scope: Scope) -> Result<(), RuleId> {
    if flags.image() && scope != Scope::WorkGroup {
        Err(RuleId::OpenclSplitImageScope)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_allow_one_scope() {
        assert!(check(Flags::IMAGE, Scope::WorkGroup).is_ok());
        assert!(check(Flags::IMAGE, Scope::Device).is_err());
        assert!(check(Flags::LOCAL, Scope::Device).is_ok());
    }
}
