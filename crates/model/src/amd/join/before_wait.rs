//! The check of `amd.join.before-wait`.

use crate::spec::choice::{Known, bit};

/// Whether the wait has its join. `bound` is true if the agent's last join is of this object and no drop follows it. That
/// join (number `joiner`) must be before an operation that participates in the phase that the wait depends on.
#[must_use]
pub const fn holds(bound: bool, joiner: Option<usize>, phase: &Known) -> bool {
    match joiner {
        Some(joiner) => bound && phase.joins & bit(joiner) != 0,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_join_must_be_before_a_participant() {
        let phase = Known { joins: bit(2), ..Known::default() };
        assert!(holds(true, Some(2), &phase));
        assert!(!holds(true, Some(1), &phase));
        assert!(!holds(false, Some(2), &phase));
        assert!(!holds(true, None, &phase));
    }
}
