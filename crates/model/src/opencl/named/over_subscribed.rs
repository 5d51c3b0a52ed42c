//! `opencl.named.over-subscribed`: No more sub-groups than the count of a named barrier come to wait for one phase of it: which of them would meet is not said.
//!
//! `opencl-cpp-synchronization`, wait.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.over-subscribed",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "No more sub-groups than the count of a named barrier come to wait for one phase of it: which of them would meet is not said.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Give each set of sub-groups a barrier of its own, or raise the count.",
};

/// Whether sub-groups that come to wait for one phase are no more than the count.
///
/// # Errors
/// This rule, when they are.
pub fn check(sub_groups: usize, count: u32) -> Result<(), RuleId> {
    if sub_groups > count as usize { Err(RuleId::OpenclNamedOverSubscribed) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_the_count() {
        assert!(check(2, 2).is_ok() && check(1, 2).is_ok() && check(3, 2).is_err());
    }
}
