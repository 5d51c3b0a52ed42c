//! `ptx.mbarrier.late-expect-tx`: An expect_tx that makes the tx-count zero while no arrival is pending does not complete the phase. The specification checks for completion only on arrive and complete_tx.
//!
//! PTX ISA 9.1, "expect-tx operation".

use crate::ptx::transition::{Law, Mbarrier, Outcome};
use crate::reading::ReadingId;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.late-expect-tx",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "An expect_tx that makes the tx-count zero while no arrival is pending does not complete the phase. The specification checks for completion only on arrive and complete_tx.",
    document: "PTX ISA 9.1",
    section: "expect-tx operation",
    remedy: "Expect the bytes before the last arrive, preferably with arrive.expect_tx.",
};

/// The outcome of an expect_tx. If it makes the tx-count zero while no arrival is pending, the specification completes
/// nothing. Hardware, and one choice of reading `ptx.late-expect`, complete the phase.
#[must_use]
pub fn after(before: Mbarrier, expecting: Mbarrier, law: Law) -> Outcome {
    let late = expecting.tx == 0 && expecting.pending == 0 && before.tx != 0;
    if late && (!law.text || !law.usual(ReadingId::PtxLateExpect)) {
        return expecting.settled(None);
    }
    let broken = late.then_some(RuleId::PtxMbarrierLateExpectTx);
    Outcome { next: expecting, completes: false, broken }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::reading::Readings;

    #[test]
    fn the_specification_and_the_hardware_model_differ() {
        let early = Mbarrier { valid: true, expected: 1, tx: -16, ..Mbarrier::default() };
        let expecting = Mbarrier { tx: 0, ..early };
        let law = |text, choice| Law {
            text,
            hazards: text,
            readings: Readings::default().with(ReadingId::PtxLateExpect, choice),
        };
        let stuck = after(early, expecting, law(true, 0));
        assert_eq!((stuck.completes, stuck.broken), (false, Some(RuleId::PtxMbarrierLateExpectTx)));
        assert!(after(early, expecting, law(true, 1)).completes);
        assert!(after(early, expecting, law(false, 0)).completes);
    }
}
