//! The check of `amd.arrive.expected`.

use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// The counts of a barrier before the arrive.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// How many arrivals complete the phase.
    pub expected: i32,
    /// How many arrivals there were.
    pub arrived: i32,
}

/// The expected count after the arrive. Reading `amd.A1` decides whether it may equal the arrive count.
///
/// # Errors
/// This rule, if the new expected count is too small.
pub fn check(counts: Counts, expected: Option<i64>, readings: Readings) -> Result<i32, RuleId> {
    let Some(expected) = expected else { return Ok(counts.expected) };
    let slack = i64::from(readings.is_default(ReadingId::AmdA1));
    if expected < i64::from(counts.arrived) + slack {
        return Err(RuleId::AmdArriveExpected);
    }
    Ok(i32::try_from(expected).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_count_depends_on_the_reading() {
        let two_arrived = Counts { expected: 4, arrived: 2 };
        let allowed = Readings::default().with(ReadingId::AmdA1, 1);
        assert_eq!(check(two_arrived, None, allowed), Ok(4));
        assert_eq!(check(two_arrived, Some(3), Readings::default()), Ok(3));
        assert_eq!(
            check(two_arrived, Some(2), Readings::default()),
            Err(RuleId::AmdArriveExpected)
        );
        assert_eq!(check(two_arrived, Some(2), allowed), Ok(2));
        assert_eq!(check(two_arrived, Some(1), allowed), Err(RuleId::AmdArriveExpected));
    }
}
