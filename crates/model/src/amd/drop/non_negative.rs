//! The check of `amd.drop.non-negative`.

use crate::rule::RuleId;

/// The expected count after a drop.
///
/// # Errors
/// This rule, if the expected count is already zero.
pub const fn check(expected: i32) -> Result<i32, RuleId> {
    if expected < 1 { Err(RuleId::AmdDropNonNegative) } else { Ok(expected - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_count_of_zero_cannot_be_dropped() {
        assert_eq!(check(1), Ok(0));
        assert_eq!(check(0), Err(RuleId::AmdDropNonNegative));
    }
}
