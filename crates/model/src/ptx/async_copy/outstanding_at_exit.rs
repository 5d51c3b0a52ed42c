//! The check of `ptx.async-copy.outstanding-at-exit`.

use crate::rule::RuleId;

/// Passes if no copies remain when no operation of the CTA can wait for them.
///
/// # Errors
/// This rule, if some remain.
pub const fn check(copies: usize) -> Result<(), RuleId> {
    if copies == 0 { Ok(()) } else { Err(RuleId::PtxAsyncCopyOutstandingAtExit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_copy_may_remain() {
        assert_eq!(check(0), Ok(()));
        assert_eq!(check(1), Err(RuleId::PtxAsyncCopyOutstandingAtExit));
    }
}
