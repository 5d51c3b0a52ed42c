//! The check of `amd.init.positive`.

use crate::rule::RuleId;

/// The expected count as stored in an object.
///
/// # Errors
/// This rule, if the count is not positive.
pub fn check(expected: i64) -> Result<i32, RuleId> {
    if expected < 1 {
        Err(RuleId::AmdInitPositive)
    } else {
        Ok(i32::try_from(expected).unwrap_or(i32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_below_one_break_the_rule() {
        assert_eq!(check(-1), Err(RuleId::AmdInitPositive));
        assert_eq!(check(0), Err(RuleId::AmdInitPositive));
        assert_eq!(check(1), Ok(1));
    }
}
