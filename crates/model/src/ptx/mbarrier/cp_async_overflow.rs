//! The check of `ptx.mbarrier.cp-async-overflow`.

use crate::ptx::object::{Law, MOST, Mbarrier};
use crate::rule::RuleId;

/// The object after its pending count is raised by one.
///
/// # Errors
/// This rule, if the count exceeds its range.
pub fn check(object: Mbarrier, law: Law) -> Result<Mbarrier, RuleId> {
    if law.text && i64::from(object.pending) >= MOST {
        return Err(RuleId::PtxMbarrierCpAsyncOverflow);
    }
    Ok(Mbarrier { pending: object.pending.wrapping_add(1), ..object })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::reading::Readings;

    #[test]
    fn the_pending_count_may_rise_to_its_maximum() {
        let law = Law { text: true, hazards: true, readings: Readings::default() };
        let object = |pending| Mbarrier { pending, ..Mbarrier::default() };
        assert_eq!(check(object(1), law).map(|next| next.pending), Ok(2));
        assert_eq!(check(object(MOST as i32), law), Err(RuleId::PtxMbarrierCpAsyncOverflow));
    }
}
