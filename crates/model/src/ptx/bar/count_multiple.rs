//! The check of `ptx.bar.count-multiple`.

use crate::rule::RuleId;

/// Threads of a warp.
pub const WARP: i64 = 32;

/// The thread count.
///
/// # Errors
/// This rule, if it is zero or not whole warps.
pub fn check(threads: i64) -> Result<u32, RuleId> {
    let whole = threads > 0 && threads % WARP == 0;
    u32::try_from(threads).ok().filter(|_| whole).ok_or(RuleId::PtxBarCountMultiple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_warps() {
        assert_eq!([32, 256].map(check), [Ok(32), Ok(256)]);
        assert!([0, -32, 33, 16].into_iter().all(|threads| check(threads).is_err()));
    }
}
