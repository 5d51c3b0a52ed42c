//! The check of `amd.cluster.one-arrival`.

use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// Passes if the workgroup has not yet arrived in the current phase; `arrived` is sorted. Under the other choice of
/// reading `amd.A8`, a second arrival counts.
///
/// # Errors
/// This rule, if the workgroup has already arrived.
pub fn check(arrived: &[u32], workgroup: u32, readings: Readings) -> Result<(), RuleId> {
    let again = arrived.binary_search(&workgroup).is_ok() && readings.is_default(ReadingId::AmdA8);
    if again { Err(RuleId::AmdClusterOneArrival) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_arrival_breaks_the_rule_unless_it_counts() {
        let counts = Readings::default().with(ReadingId::AmdA8, 1);
        assert_eq!(check(&[0, 2], 1, Readings::default()), Ok(()));
        assert_eq!(check(&[0, 2], 2, Readings::default()), Err(RuleId::AmdClusterOneArrival));
        assert_eq!(check(&[0, 2], 2, counts), Ok(()));
    }
}
