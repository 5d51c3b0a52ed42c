//! `ptx.mbarrier.first-parity`: The first wait on parity 1 of a fresh object returns at once. The specification does not say so, but programs rely on it.
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
    statement: "The first wait on parity 1 of a fresh object returns at once. The specification does not say so, but programs rely on it.",
    document: "PTX ISA 9.1",
    section: "mbarrier.test_wait, phaseParity",
    remedy: "",
};

/// Whether a wait on a parity returns on a fresh object. The specification defines no completed phase before the first.
#[must_use]
pub const fn is_met(object: Mbarrier, parity: bool) -> bool {
    parity && object.phase == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parity_one_of_a_fresh_object_returns() {
        assert!(is_met(Mbarrier::default(), true) && !is_met(Mbarrier::default(), false));
        assert!(!is_met(Mbarrier { phase: 2, ..Mbarrier::default() }, true));
    }
}
