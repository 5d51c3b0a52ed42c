//! `ptx.mbarrier.no-complete`: An arrive marked .noComplete may not be the one that completes the phase.
//!
//! PTX ISA 9.1, "mbarrier.arrive".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.no-complete",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "An arrive marked .noComplete may not be the one that completes the phase.",
    document: "PTX ISA 9.1",
    section: "mbarrier.arrive",
    remedy: "Leave .noComplete away, or let a later arrive complete the phase.",
};

/// Whether an arrive may have completed the phase.
///
/// # Errors
/// This rule, when it did and must not.
pub fn check(no_complete: bool, completes: bool) -> Result<(), RuleId> {
    if no_complete && completes { Err(RuleId::PtxMbarrierNoComplete) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_arrive_is_bound() {
        assert_eq!(check(true, true), Err(RuleId::PtxMbarrierNoComplete));
        assert!(check(true, false).is_ok() && check(false, true).is_ok());
    }
}
