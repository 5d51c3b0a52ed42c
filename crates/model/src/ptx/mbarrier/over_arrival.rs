//! `ptx.mbarrier.over-arrival`: A phase must not receive more arrivals than are pending in it.
//!
//! PTX ISA 9.1, "mbarrier.arrive".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.over-arrival",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A phase must not receive more arrivals than are pending in it.",
    document: "PTX ISA 9.1",
    section: "mbarrier.arrive",
    remedy: "Match the init count with the arrivals of each phase.",
};

/// Passes if at least `count` arrivals are pending.
///
/// # Errors
/// This rule, if fewer are.
pub fn check(object: Mbarrier, count: i64) -> Result<(), RuleId> {
    if count <= i64::from(object.pending) { Ok(()) } else { Err(RuleId::PtxMbarrierOverArrival) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_must_not_exceed_the_pending_count() {
        let object = Mbarrier { pending: 2, ..Mbarrier::default() };
        assert_eq!(check(object, 2), Ok(()));
        assert_eq!(check(object, 3), Err(RuleId::PtxMbarrierOverArrival));
    }
}
