//! `opencl.split.image-scope`: With the image flag the scope of a split work-group barrier is the work-group.
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
    statement: "With the image flag the scope of a split work-group barrier is the work-group.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Use memory_scope_work_group.",
};

/// Whether these flags may have this scope.
///
/// # Errors
/// This rule, when they may not.
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
    fn one_scope_is_for_images() {
        assert!(check(Flags::IMAGE, Scope::WorkGroup).is_ok());
        assert!(check(Flags::IMAGE, Scope::Device).is_err());
        assert!(check(Flags::LOCAL, Scope::Device).is_ok());
    }
}
