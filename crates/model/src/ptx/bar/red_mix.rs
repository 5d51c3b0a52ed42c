//! `ptx.bar.red-mix`: A reduction is not mixed with sync or arrive at one barrier.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.red-mix",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A reduction is not mixed with sync or arrive at one barrier.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Use .red in every warp, or in none.",
};

/// Whether a use agrees with the first of its generation on being a reduction.
///
/// # Errors
/// This rule, when it does not.
pub fn check(first: Option<bool>, red: bool) -> Result<bool, RuleId> {
    if first.is_none_or(|first| first == red) { Ok(red) } else { Err(RuleId::PtxBarRedMix) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_none() {
        assert!(check(None, true).is_ok() && check(Some(false), false).is_ok());
        assert!(check(Some(true), false).is_err() && check(Some(false), true).is_err());
    }
}
