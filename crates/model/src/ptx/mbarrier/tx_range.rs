//! `ptx.mbarrier.tx-range`: The tx-count must stay between -(2^20-1) and 2^20-1.
//!
//! PTX ISA 9.1, "Tracking asynchronous operations by the mbarrier object".

use crate::ptx::transition::MOST;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.tx-range",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "The tx-count must stay between -(2^20-1) and 2^20-1.",
    document: "PTX ISA 9.1",
    section: "Tracking asynchronous operations by the mbarrier object",
    remedy: "Expect and copy fewer bytes in one phase.",
};

/// Passes if a tx-count is in range.
///
/// # Errors
/// This rule, if it is not.
pub fn check(tx: i64) -> Result<(), RuleId> {
    if (-MOST..=MOST).contains(&tx) { Ok(()) } else { Err(RuleId::PtxMbarrierTxRange) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_symmetric() {
        assert!([0, 1_048_575, -1_048_575].into_iter().all(|tx| check(tx).is_ok()));
        assert!([1_048_576, -1_048_576].into_iter().all(|tx| check(tx).is_err()));
    }
}
