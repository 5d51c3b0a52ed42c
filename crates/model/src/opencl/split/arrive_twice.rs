//! The check of `opencl.split.arrive-twice`.

use crate::opencl::machine::state::Split;
use crate::rule::RuleId;

/// Passes if a work-item in this state may arrive.
///
/// # Errors
/// This rule, if the work-item has already arrived.
pub fn check(standing: Split) -> Result<(), RuleId> {
    if standing == Split::Idle { Ok(()) } else { Err(RuleId::OpenclSplitArriveTwice) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_must_separate_two_arrives() {
        assert!(check(Split::Idle).is_ok());
        assert!(check(Split::Arrived).is_err() && check(Split::Complete).is_err());
    }
}
