//! `opencl.split.flags-differ`: Where an arrive and its wait pass other flags or scopes, only what both name is ordered, and only as far as the narrower scope.
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
    statement: "Where an arrive and its wait pass other flags or scopes, only what both name is ordered, and only as far as the narrower scope.",
    document: "cl_intel_split_work_group_barrier",
    section: "Built-in Work-group Synchronization Functions",
    remedy: "Pass the same to both.",
};

/// Whether an arrive and its wait pass other flags or scopes.
#[must_use]
pub fn applies(arrive: Arguments, wait: Arguments) -> bool {
    (arrive.flags, arrive.scope) != (wait.flags, wait.scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::{Flags, Scope};

    #[test]
    fn flags_and_scope() {
        let one = Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false };
        assert!(!applies(one, one));
        assert!(applies(one, Arguments { flags: Flags::GLOBAL, ..one }));
        assert!(applies(one, Arguments { scope: Scope::Device, ..one }));
    }
}
