//! The check of `ptx.cluster.exited-cta`.

use crate::rule::RuleId;

/// Passes if the CTA whose memory is accessed has not exited.
///
/// # Errors
/// This rule, if it has.
pub const fn check(ended: bool) -> Result<(), RuleId> {
    if ended { Err(RuleId::PtxClusterExitedCta) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cta_must_not_have_exited() {
        assert_eq!(check(false), Ok(()));
        assert_eq!(check(true), Err(RuleId::PtxClusterExitedCta));
    }
}
