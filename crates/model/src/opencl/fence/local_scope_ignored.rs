//! `opencl.fence.local-scope-ignored`: A scope argument with only the local flag has no effect: local memory is always ordered for the work-group.
//!
//! `opencl-cpp-synchronization`, work_group_barrier; sub_group_barrier; wait.

use crate::opencl::action::{Arguments, Flags};
use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.fence.local-scope-ignored",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "A scope argument with only the local flag has no effect: local memory is always ordered for the work-group.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier; wait",
    remedy: "Remove the scope argument.",
};

/// Whether the call has a scope argument that has no effect.
#[must_use]
pub fn applies(arguments: Arguments) -> bool {
    arguments.given && arguments.flags == Flags::LOCAL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::Scope;

    #[test]
    fn only_a_written_scope_with_only_the_local_flag_is_ignored() {
        let written = Arguments { flags: Flags::LOCAL, scope: Scope::Device, given: true };
        assert!(applies(written));
        assert!(!applies(Arguments { given: false, ..written }));
        assert!(!applies(Arguments { flags: Flags::new(3), ..written }));
    }
}
