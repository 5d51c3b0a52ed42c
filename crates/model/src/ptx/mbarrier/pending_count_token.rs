//! The check of `ptx.mbarrier.pending-count-token`.

use crate::rule::RuleId;

/// Passes if `mbarrier.pending_count` accepts a token.
///
/// # Errors
/// This rule, if the token is of an unmarked arrive, or no arrive returned it.
pub fn check(of_no_complete: Option<bool>) -> Result<(), RuleId> {
    if of_no_complete == Some(true) { Ok(()) } else { Err(RuleId::PtxMbarrierPendingCountToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_of_a_marked_arrive_is_accepted() {
        assert_eq!(
            [None, Some(false), Some(true)].map(|token| check(token).is_ok()),
            [false, false, true]
        );
    }
}
