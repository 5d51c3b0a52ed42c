//! `ptx.mbarrier.late-expect-tx`: An expect_tx that brings the tx-count to zero when no arrival is pending completes nothing: the text checks for completion on arrive and complete_tx only.
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
    statement: "An expect_tx that brings the tx-count to zero when no arrival is pending completes nothing: the text checks for completion on arrive and complete_tx only.",
    document: "PTX ISA 9.1",
    section: "expect-tx operation",
    remedy: "Expect the bytes before the last arrive, best with arrive.expect_tx.",
};

/// What an expect_tx leaves. Where it brings the tx-count to zero with nothing pending, the letter completes nothing;
/// hardware, and reading `ptx.late-expect`, complete the phase.
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
    fn the_letter_and_the_machine_part() {
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
