//! `ptx.mbarrier.first-parity`: A first wait on parity 1 of a fresh object returns at once: the text does not say so, and everyone relies on it.
//!
//! PTX ISA 9.1, "mbarrier.test_wait, phaseParity".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.first-parity",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "A first wait on parity 1 of a fresh object returns at once: the text does not say so, and everyone relies on it.",
    document: "PTX ISA 9.1",
    section: "mbarrier.test_wait, phaseParity",
    remedy: "",
};

/// Whether a wait on a parity passes on a fresh object: the text calls no phase before the first complete.
#[must_use]
pub const fn is_met(object: Mbarrier, parity: bool) -> bool {
    parity && object.phase == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_one_before_any_phase_completed() {
        assert!(is_met(Mbarrier::default(), true) && !is_met(Mbarrier::default(), false));
        assert!(!is_met(Mbarrier { phase: 2, ..Mbarrier::default() }, true));
    }
}
