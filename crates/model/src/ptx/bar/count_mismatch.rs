//! The check of `ptx.bar.count-mismatch`.

use crate::rule::RuleId;

/// The thread count of a generation in which earlier warps named `named`, if any.
///
/// # Errors
/// This rule, if the two differ.
pub fn check(named: Option<u32>, threads: u32) -> Result<u32, RuleId> {
    if named.is_none_or(|named| named == threads) {
        Ok(threads)
    } else {
        Err(RuleId::PtxBarCountMismatch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_warp_decides_the_count() {
        assert_eq!((check(None, 64), check(Some(64), 64)), (Ok(64), Ok(64)));
        assert_eq!(check(Some(64), 96), Err(RuleId::PtxBarCountMismatch));
    }
}
