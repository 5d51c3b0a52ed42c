//! `ptx.mbarrier.missing-wait`: Nobody may arrive in a phase before some wait has observed that the phase before it completed.
//!
//! PTX ISA 9.1, "Phase Completion of the mbarrier object".

use crate::ptx::transition::Mbarrier;
use crate::reading::{ReadingId, Readings};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.missing-wait",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "Nobody may arrive in a phase before some wait has observed that the phase before it completed.",
    document: "PTX ISA 9.1",
    section: "Phase Completion of the mbarrier object",
    remedy: "Wait for the running phase before arriving in the next one.",
};

/// Whether an arrive may come now. Reading `ptx.missing-wait` can allow it always.
///
/// # Errors
/// This rule, when no wait has observed the phase before.
pub fn check(object: Mbarrier, readings: Readings) -> Result<(), RuleId> {
    if object.observed || !readings.is_default(ReadingId::PtxMissingWait) {
        Ok(())
    } else {
        Err(RuleId::PtxMbarrierMissingWait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phase_before_must_have_been_observed() {
        let object = Mbarrier { valid: true, phase: 1, ..Mbarrier::default() };
        let strict = Readings::default();
        assert_eq!(check(object, strict), Err(RuleId::PtxMbarrierMissingWait));
        assert_eq!(check(object.observe(), strict), Ok(()));
        assert_eq!(check(object, strict.with(ReadingId::PtxMissingWait, 1)), Ok(()));
    }
}
