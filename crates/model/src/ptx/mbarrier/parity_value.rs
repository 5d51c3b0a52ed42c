//! The check of `ptx.mbarrier.parity-value`.

use crate::rule::RuleId;

/// Passes if a parity, as written, is 0 or 1.
///
/// # Errors
/// This rule, for any other number.
pub const fn check(parity: i64) -> Result<(), RuleId> {
    if parity == 0 || parity == 1 { Ok(()) } else { Err(RuleId::PtxMbarrierParityValue) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_and_one_are_parities() {
        assert_eq!((check(0), check(1)), (Ok(()), Ok(())));
        for other in [-1, 2, 3, i64::MIN, i64::MAX] {
            assert_eq!(check(other), Err(RuleId::PtxMbarrierParityValue));
        }
    }
}
