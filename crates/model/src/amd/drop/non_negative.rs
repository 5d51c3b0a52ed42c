//! `amd.drop.non-negative`: A drop decrements the expected count and must not make it negative.
//!
//! amdgpu-execution-synchronization, "Barrier Operations".

use crate::barrier::Barrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.drop.non-negative",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A drop decrements the expected count and must not make it negative.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Operations",
    remedy: "Drop at most as many times as the expected count.",
};

/// The expected count after a drop.
///
/// # Errors
/// This rule, if the expected count is already zero.
pub const fn check(barrier: Barrier) -> Result<i32, RuleId> {
    if barrier.expected < 1 { Err(RuleId::AmdDropNonNegative) } else { Ok(barrier.expected - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_count_of_zero_cannot_be_dropped() {
        assert_eq!(check(Barrier::launched(1)), Ok(0));
        assert_eq!(check(Barrier::launched(0)), Err(RuleId::AmdDropNonNegative));
    }
}
