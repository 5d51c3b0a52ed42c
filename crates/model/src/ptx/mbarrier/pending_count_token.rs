//! `ptx.mbarrier.pending-count-token`: `mbarrier.pending_count` requires the token of an arrive marked .noComplete.
//!
//! PTX ISA 9.1, "mbarrier.pending_count".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.pending-count-token",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "`mbarrier.pending_count` requires the token of an arrive marked .noComplete.",
    document: "PTX ISA 9.1",
    section: "mbarrier.pending_count",
    remedy: "Use the token of a .noComplete arrive.",
};

/// Passes if `mbarrier.pending_count` accepts a token.
///
/// # Errors
/// This rule, if the token is of an unmarked arrive, or no arrive returned it.
pub fn check(of_no_complete: Option<bool>) -> Result<(), RuleId> {
    if of_no_complete == Some(true) { Ok(()) } else { Err(RuleId::PtxMbarrierPendingCountToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_of_a_marked_arrive_is_accepted() {
        assert_eq!(
            [None, Some(false), Some(true)].map(|token| check(token).is_ok()),
            [false, false, true]
        );
    }
}
