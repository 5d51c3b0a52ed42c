//! The check of `ptx.bar.double-arrive`.

use crate::rule::RuleId;

/// Passes if an agent may use a barrier.
///
/// # Errors
/// This rule, if the agent has arrived in the incomplete generation.
pub fn check(arrived: bool) -> Result<(), RuleId> {
    if arrived { Err(RuleId::PtxBarDoubleArrive) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_arrives_once_in_each_generation() {
        assert_eq!((check(false), check(true)), (Ok(()), Err(RuleId::PtxBarDoubleArrive)));
    }
}
