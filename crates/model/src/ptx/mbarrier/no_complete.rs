//! `ptx.mbarrier.no-complete`: An arrive marked .noComplete must not complete the phase.
//!
//! PTX ISA 9.1, "mbarrier.arrive".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.no-complete",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "An arrive marked .noComplete must not complete the phase.",
    document: "PTX ISA 9.1",
    section: "mbarrier.arrive",
    remedy: "Remove .noComplete, or let a later arrive complete the phase.",
};

/// Passes unless an arrive completes a phase that it must not complete.
///
/// # Errors
/// This rule, if a `.noComplete` arrive completes the phase.
pub fn check(no_complete: bool, completes: bool) -> Result<(), RuleId> {
    if no_complete && completes { Err(RuleId::PtxMbarrierNoComplete) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_arrive_must_not_complete() {
        assert_eq!(check(true, true), Err(RuleId::PtxMbarrierNoComplete));
        assert!(check(true, false).is_ok() && check(false, true).is_ok());
    }
}
