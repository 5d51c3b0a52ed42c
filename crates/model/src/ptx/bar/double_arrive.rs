//! `ptx.bar.double-arrive`: A warp that arrived at a barrier does not use that barrier again before it completed.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.double-arrive",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A warp that arrived at a barrier does not use that barrier again before it completed.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Sync with the barrier's completion first, or use another id.",
};

/// Whether an agent may use a barrier.
///
/// # Errors
/// This rule, when it arrived at the generation that is not complete.
pub fn check(arrived: bool) -> Result<(), RuleId> {
    if arrived { Err(RuleId::PtxBarDoubleArrive) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_for_each_generation() {
        assert_eq!((check(false), check(true)), (Ok(()), Err(RuleId::PtxBarDoubleArrive)));
    }
}
