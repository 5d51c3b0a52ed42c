//! The check of `ptx.mbarrier.first-parity`.

use crate::ptx::object::Mbarrier;

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
