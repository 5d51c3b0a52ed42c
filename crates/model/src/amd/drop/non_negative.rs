//! The check of `amd.drop.non-negative`.

use crate::barrier::Barrier;
use crate::rule::RuleId;

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
