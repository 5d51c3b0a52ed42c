//! `ptx.bar.red-mix`: One barrier must not mix reductions with sync or arrive.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.red-mix",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "One barrier must not mix reductions with sync or arrive.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Use .red in every warp, or in none.",
};

/// Passes if a use and the first use of its generation are both reductions, or neither is.
///
/// # Errors
/// This rule, if only one of them is.
pub fn check(first: Option<bool>, red: bool) -> Result<bool, RuleId> {
    if first.is_none_or(|first| first == red) { Ok(red) } else { Err(RuleId::PtxBarRedMix) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_use_or_no_use_is_a_reduction() {
        assert!(check(None, true).is_ok() && check(Some(false), false).is_ok());
        assert!(check(Some(true), false).is_err() && check(Some(false), true).is_err());
    }
}
