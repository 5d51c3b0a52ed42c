//! The check of `ptx.mbarrier.drop-to-zero`.

use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// Passes if a drop may leave this expected count. Reading `ptx.version`: zero is undefined since PTX 9.4.
///
/// # Errors
/// This rule, if the count may not be zero; `ptx.mbarrier.over-arrival` for a negative count where zero is allowed.
pub fn check(expected: i32, readings: Readings) -> Result<(), RuleId> {
    let least = i32::from(readings.is_default(ReadingId::PtxVersion));
    match expected {
        _ if expected >= least => Ok(()),
        _ if least > 0 => Err(RuleId::PtxMbarrierDropToZero),
        _ => Err(RuleId::PtxMbarrierOverArrival),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_depends_on_the_version() {
        let older = Readings::default().with(ReadingId::PtxVersion, 1);
        assert!(check(1, Readings::default()).is_ok() && check(0, older).is_ok());
        assert_eq!(check(0, Readings::default()), Err(RuleId::PtxMbarrierDropToZero));
        assert_eq!(check(-1, older), Err(RuleId::PtxMbarrierOverArrival));
    }
}
