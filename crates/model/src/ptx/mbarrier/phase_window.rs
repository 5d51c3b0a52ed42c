//! The check of `ptx.mbarrier.phase-window`.

use crate::ptx::object::Mbarrier;
use crate::rule::RuleId;

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
