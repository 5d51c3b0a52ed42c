//! The check of `ptx.mbarrier.over-arrival`.

use crate::ptx::object::Mbarrier;
use crate::rule::RuleId;

/// Passes if at least `count` arrivals are pending.
///
/// # Errors
/// This rule, if fewer are.
pub fn check(object: Mbarrier, count: i64) -> Result<(), RuleId> {
    if count <= i64::from(object.pending) { Ok(()) } else { Err(RuleId::PtxMbarrierOverArrival) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_must_not_exceed_the_pending_count() {
        let object = Mbarrier { pending: 2, ..Mbarrier::default() };
        assert_eq!(check(object, 2), Ok(()));
        assert_eq!(check(object, 3), Err(RuleId::PtxMbarrierOverArrival));
    }
}
