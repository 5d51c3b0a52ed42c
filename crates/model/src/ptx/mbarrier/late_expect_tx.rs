//! The check of `ptx.mbarrier.late-expect-tx`.

use crate::ptx::object::{Law, Mbarrier, Outcome};
use crate::reading::ReadingId;
use crate::rule::RuleId;

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
