//! The check of `ptx.mbarrier.tx-range`.

use crate::ptx::object::MOST;
use crate::rule::RuleId;

/// Passes if a tx-count is in range.
///
/// # Errors
/// This rule, if it is not.
pub fn check(tx: i64) -> Result<(), RuleId> {
    if (-MOST..=MOST).contains(&tx) { Ok(()) } else { Err(RuleId::PtxMbarrierTxRange) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_symmetric() {
        assert!([0, 1_048_575, -1_048_575].into_iter().all(|tx| check(tx).is_ok()));
        assert!([1_048_576, -1_048_576].into_iter().all(|tx| check(tx).is_err()));
    }
}
