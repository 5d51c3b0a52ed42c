//! The check of `ptx.mbarrier.no-complete`.

use crate::rule::RuleId;

/// Passes unless an arrive completes a phase that it must not complete.
///
/// # Errors
/// This rule, if a `.noComplete` arrive completes the phase.
pub fn check(no_complete: bool, completes: bool) -> Result<(), RuleId> {
    if no_complete && completes { Err(RuleId::PtxMbarrierNoComplete) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_arrive_must_not_complete() {
        assert_eq!(check(true, true), Err(RuleId::PtxMbarrierNoComplete));
        assert!(check(true, false).is_ok() && check(false, true).is_ok());
    }
}
