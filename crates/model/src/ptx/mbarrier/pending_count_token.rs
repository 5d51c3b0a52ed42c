//! `ptx.mbarrier.pending-count-token`: Pending_count takes a token of an arrive marked .noComplete.
//!
//! PTX ISA 9.1, "mbarrier.pending_count".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.pending-count-token",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Pending_count takes a token of an arrive marked .noComplete.",
    document: "PTX ISA 9.1",
    section: "mbarrier.pending_count",
    remedy: "Take the token of a .noComplete arrive.",
};

/// Whether a token can be asked for its pending count.
///
/// # Errors
/// This rule, when it came from another arrive, or from none.
pub fn check(of_no_complete: Option<bool>) -> Result<(), RuleId> {
    if of_no_complete == Some(true) { Ok(()) } else { Err(RuleId::PtxMbarrierPendingCountToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_of_a_marked_arrive() {
        assert_eq!(
            [None, Some(false), Some(true)].map(|token| check(token).is_ok()),
            [false, false, true]
        );
    }
}
