//! `ptx.bar.double-arrive`: A warp that arrived at a barrier must not use that barrier again before it completes.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.double-arrive",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A warp that arrived at a barrier must not use that barrier again before it completes.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Synchronise with the completion of the barrier first, or use another ID.",
};

/// Passes if an agent may use a barrier.
///
/// # Errors
/// This rule, if the agent has arrived in the incomplete generation.
pub fn check(arrived: bool) -> Result<(), RuleId> {
    if arrived { Err(RuleId::PtxBarDoubleArrive) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_arrives_once_in_each_generation() {
        assert_eq!((check(false), check(true)), (Ok(()), Err(RuleId::PtxBarDoubleArrive)));
    }
}
