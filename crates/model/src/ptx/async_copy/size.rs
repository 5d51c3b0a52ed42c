//! The check of `ptx.async-copy.size`.

use crate::mem::operation::Range;
use crate::rule::RuleId;

/// The unit of a bulk copy in bytes, PTX, `cp.async.bulk`.
pub(crate) const UNIT: i64 = 16;

/// Passes if a bulk copy moves whole units.
///
/// # Errors
/// This rule, if it does not.
pub fn check(bytes: i64, ranges: [Option<Range>; 2]) -> Result<(), RuleId> {
    let starts = ranges.into_iter().flatten().all(|range| range.start % UNIT as u32 == 0);
    if bytes % UNIT == 0 && starts { Ok(()) } else { Err(RuleId::PtxAsyncCopySize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_must_move_whole_units() {
        let from = |start| Some(Range { buffer: 0, start, end: start + 32 });
        assert_eq!(check(32, [from(16), None]), Ok(()));
        for (bytes, ranges) in [(8, [None, None]), (32, [from(8), None]), (32, [from(0), from(4)])]
        {
            assert_eq!(check(bytes, ranges), Err(RuleId::PtxAsyncCopySize));
        }
    }
}
