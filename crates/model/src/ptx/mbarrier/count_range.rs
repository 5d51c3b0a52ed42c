//! `ptx.mbarrier.count-range`: The count of an init, an arrive or a drop must be between 1 and 2^20-1.
//!
//! PTX ISA 9.1, "mbarrier.init, mbarrier.arrive".

use crate::ptx::transition::MOST;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.count-range",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "The count of an init, an arrive or a drop must be between 1 and 2^20-1.",
    document: "PTX ISA 9.1",
    section: "mbarrier.init, mbarrier.arrive",
    remedy: "Use a count between 1 and 2^20-1.",
};

/// Passes if a count is in range.
///
/// # Errors
/// This rule, if it is not.
pub fn check(count: i64) -> Result<(), RuleId> {
    if (1..=MOST).contains(&count) { Ok(()) } else { Err(RuleId::PtxMbarrierCountRange) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_at_most_twenty_bits() {
        assert!([1, 32, 1_048_575].into_iter().all(|count| check(count).is_ok()));
        assert!([0, -1, 1_048_576, i64::MAX].into_iter().all(|count| check(count).is_err()));
    }
}
