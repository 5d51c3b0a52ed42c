//! The check of `ptx.bar.warp-member`.

use crate::rule::RuleId;

/// Passes if the mask names the thread that executes the instruction.
///
/// # Errors
/// This rule, if it does not.
pub const fn check(named: bool) -> Result<(), RuleId> {
    if named { Ok(()) } else { Err(RuleId::PtxBarWarpMember) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_must_name_the_thread() {
        assert_eq!(check(true), Ok(()));
        assert_eq!(check(false), Err(RuleId::PtxBarWarpMember));
    }
}
