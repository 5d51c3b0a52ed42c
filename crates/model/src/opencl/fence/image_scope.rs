//! `opencl.fence.image-scope`: A barrier with the image flag must have work-group or device scope.
//!
//! `opencl-cpp-synchronization`, work_group_barrier; sub_group_barrier.

use crate::opencl::action::{Flags, Scope};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.fence.image-scope",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A barrier with the image flag must have work-group or device scope.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier",
    remedy: "Use memory_scope_work_group or memory_scope_device.",
};

/// Passes if these flags allow this scope.
///
/// # Errors
/// This rule, if they may not.
pub fn check(flags: Flags, scope: Scope) -> Result<(), RuleId> {
    if flags.image() && !matches!(scope, Scope::WorkGroup | Scope::Device) {
        Err(RuleId::OpenclFenceImageScope)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_allow_two_scopes() {
        let fine: alloc::vec::Vec<Scope> =
            Scope::ALL.into_iter().filter(|&scope| check(Flags::IMAGE, scope).is_ok()).collect();
        assert_eq!(fine, [Scope::WorkGroup, Scope::Device]);
        assert!(Scope::ALL.into_iter().all(|scope| check(Flags::GLOBAL, scope).is_ok()));
    }
}
