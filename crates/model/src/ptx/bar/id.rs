//! `ptx.bar.id`: The barriers of a CTA have IDs 0 to 15.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.id",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "The barriers of a CTA have IDs 0 to 15.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Use an ID from 0 to 15.",
};

/// The barrier with this ID.
///
/// # Errors
/// This rule, if the ID is out of range.
pub fn check(id: i64) -> Result<u8, RuleId> {
    u8::try_from(id).ok().filter(|&id| id < 16).ok_or(RuleId::PtxBarId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cta_has_sixteen_barriers() {
        assert_eq!([0, 15].map(check), [Ok(0), Ok(15)]);
        assert!([-1, 16, 256].into_iter().all(|id| check(id).is_err()));
    }
}
