//! The check of `ptx.mbarrier.count-range`.

use crate::ptx::object::MOST;
use crate::rule::RuleId;

/// Passes if a count is in range.
///
/// # Errors
/// This rule, if it is not.
pub fn check(count: i64) -> Result<(), RuleId> {
    if (1..=MOST).contains(&count) { Ok(()) } else { Err(RuleId::PtxMbarrierCountRange) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_at_most_twenty_bits() {
        assert!([1, 32, 1_048_575].into_iter().all(|count| check(count).is_ok()));
        assert!([0, -1, 1_048_576, i64::MAX].into_iter().all(|count| check(count).is_err()));
    }
}
