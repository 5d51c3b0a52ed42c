//! `ptx.mbarrier.parity-value`: The parity that a wait asks for must be 0 or 1.
//!
//! PTX ISA 9.1, mbarrier.test_wait, phaseParity.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.parity-value",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "The parity that a wait asks for must be 0 or 1.",
    document: "PTX ISA 9.1",
    section: "mbarrier.test_wait, phaseParity",
    remedy: "Keep the phase as 0 or 1: flip it with `phase ^= 1`, or take `& 1` of a phase count.",
};

/// Passes if a parity, as written, is 0 or 1.
///
/// # Errors
/// This rule, for any other number.
pub const fn check(parity: i64) -> Result<(), RuleId> {
    if parity == 0 || parity == 1 { Ok(()) } else { Err(RuleId::PtxMbarrierParityValue) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_and_one_are_parities() {
        assert_eq!((check(0), check(1)), (Ok(()), Ok(())));
        for other in [-1, 2, 3, i64::MIN, i64::MAX] {
            assert_eq!(check(other), Err(RuleId::PtxMbarrierParityValue));
        }
    }
}
