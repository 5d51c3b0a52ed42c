//! The check of `opencl.split.wait-first`.

use crate::opencl::machine::state::Split;
use crate::rule::RuleId;

/// Passes if a work-item in this state may wait.
///
/// # Errors
/// This rule, if the work-item has not arrived.
pub fn check(standing: Split) -> Result<(), RuleId> {
    if standing == Split::Idle { Err(RuleId::OpenclSplitWaitFirst) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_requires_an_arrive() {
        assert!(check(Split::Idle).is_err());
        assert!(check(Split::Arrived).is_ok() && check(Split::Complete).is_ok());
    }
}
