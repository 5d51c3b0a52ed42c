//! The check of `tlx.single-arrive`.

use crate::rule::RuleId;

/// Passes if the count of a `tlx.barrier_arrive` is the recommended one.
///
/// # Errors
/// This rule, for every other count.
pub const fn check(count: i64) -> Result<(), RuleId> {
    if count == 1 { Ok(()) } else { Err(RuleId::TlxSingleArrive) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_recommended() {
        assert_eq!(check(1), Ok(()));
        for count in [i64::MIN, -1, 0, 2, 128, i64::MAX] {
            assert_eq!(check(count), Err(RuleId::TlxSingleArrive));
        }
    }
}
