//! The check of `ptx.mbarrier.missing-wait`.

use crate::ptx::object::Mbarrier;
use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// Passes if an agent may arrive now. One choice of reading `ptx.missing-wait` always allows it.
///
/// # Errors
/// This rule, if no wait has observed the completion of the previous phase.
pub fn check(object: Mbarrier, readings: Readings) -> Result<(), RuleId> {
    if object.observed || !readings.is_default(ReadingId::PtxMissingWait) {
        Ok(())
    } else {
        Err(RuleId::PtxMbarrierMissingWait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_must_observe_the_previous_phase() {
        let object = Mbarrier { valid: true, phase: 1, ..Mbarrier::default() };
        let strict = Readings::default();
        assert_eq!(check(object, strict), Err(RuleId::PtxMbarrierMissingWait));
        assert_eq!(check(object.observe(), strict), Ok(()));
        assert_eq!(check(object, strict.with(ReadingId::PtxMissingWait, 1)), Ok(()));
    }
}
