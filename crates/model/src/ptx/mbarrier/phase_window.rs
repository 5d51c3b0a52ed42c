//! `ptx.mbarrier.phase-window`: A wait by token must ask for the current phase or the phase immediately before it.
//!
//! PTX ISA 9.1, "mbarrier.test_wait, mbarrier.try_wait".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.phase-window",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A wait by token must ask for the current phase or the phase immediately before it.",
    document: "PTX ISA 9.1",
    section: "mbarrier.test_wait, mbarrier.try_wait",
    remedy: "Wait with the token of the latest arrive, before the next phase ends.",
};

/// Passes if the phase of a token is the current phase or the previous one.
///
/// # Errors
/// This rule, if it is neither.
pub fn check(object: Mbarrier, phase: u32) -> Result<(), RuleId> {
    let near = phase == object.phase || phase.wrapping_add(1) == object.phase;
    if near { Ok(()) } else { Err(RuleId::PtxMbarrierPhaseWindow) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_current_and_the_previous_phase_are_valid() {
        let object = Mbarrier { phase: 3, ..Mbarrier::default() };
        let broken = [1, 2, 3, 4].map(|phase| check(object, phase).is_err());
        assert_eq!(broken, [true, false, false, true]);
    }
}
