//! `ptx.mbarrier.drop-to-zero`: A drop leaves at least one expected arrival for later phases.
//!
//! PTX ISA 9.4, "mbarrier.arrive_drop".

use crate::reading::{ReadingId, Readings};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.drop-to-zero",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A drop leaves at least one expected arrival for later phases.",
    document: "PTX ISA 9.4",
    section: "mbarrier.arrive_drop",
    remedy: "Keep one participant, or invalidate the object instead.",
};

/// Whether a drop may leave this expected count. Reading `ptx.version`: from PTX 9.4 on zero is undefined.
///
/// # Errors
/// This rule, when nothing may be left; where it may, no arrival is left to be dropped below zero.
pub fn check(expected: i32, readings: Readings) -> Result<(), RuleId> {
    let least = i32::from(readings.is_default(ReadingId::PtxVersion));
    match expected {
        _ if expected >= least => Ok(()),
        _ if least > 0 => Err(RuleId::PtxMbarrierDropToZero),
        _ => Err(RuleId::PtxMbarrierOverArrival),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_depends_on_the_version() {
        let older = Readings::default().with(ReadingId::PtxVersion, 1);
        assert!(check(1, Readings::default()).is_ok() && check(0, older).is_ok());
        assert_eq!(check(0, Readings::default()), Err(RuleId::PtxMbarrierDropToZero));
        assert_eq!(check(-1, older), Err(RuleId::PtxMbarrierOverArrival));
    }
}
