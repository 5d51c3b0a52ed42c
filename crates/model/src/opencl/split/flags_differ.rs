//! `opencl.split.flags-differ`: If an arrive and its wait pass different flags or scopes, only what both name is ordered, at the narrower scope.
//!
//! `cl_intel_split_work_group_barrier`, Built-in Work-group Synchronization Functions.

use crate::opencl::action::Arguments;
use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.split.flags-differ",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "If an arrive and its wait pass different flags or scopes, only what both name is ordered, at the narrower scope.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Pass the same flags and scope to both.",
};

/// Whether an arrive and its wait pass different flags or scopes.
#[must_use]
pub fn applies(arrive: Arguments, wait: Arguments) -> bool {
    (arrive.flags, arrive.scope) != (wait.flags, wait.scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::{Flags, Scope};

    #[test]
    fn flags_and_scope_are_compared() {
        let one = Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false };
        assert!(!applies(one, one));
        assert!(applies(one, Arguments { flags: Flags::GLOBAL, ..one }));
        assert!(applies(one, Arguments { scope: Scope::Device, ..one }));
    }
}
