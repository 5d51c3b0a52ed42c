//! `opencl.named.over-subscribed`: No more sub-groups than the count of a named barrier may wait for one phase: the specification does not say which of them synchronise.
//!
//! `opencl-cpp-synchronization`, wait.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.over-subscribed",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "No more sub-groups than the count of a named barrier may wait for one phase: the specification does not say which of them synchronise.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Give each set of sub-groups its own barrier, or raise the count.",
};

/// Passes if at most `count` sub-groups wait for one phase.
///
/// # Errors
/// This rule, if more do.
pub fn check(sub_groups: usize, count: u32) -> Result<(), RuleId> {
    if sub_groups > count as usize { Err(RuleId::OpenclNamedOverSubscribed) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_the_count_may_wait() {
        assert!(check(2, 2).is_ok() && check(1, 2).is_ok() && check(3, 2).is_err());
    }
}
