//! `amd.join.before-wait`: A wait on a named barrier object requires a join that is barrier-joined-before it and executes before an operation that participates in the wait.
//!
//! amdgpu-execution-synchronization, "Join and Wait Ordering".

use crate::rule::{Force, Rule};
use crate::spec::choice::{Known, bit};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.before-wait",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A wait on a named barrier object requires a join that is barrier-joined-before it and executes before an operation that participates in the wait.",
    document: "amdgpu-execution-synchronization",
    section: "Join and Wait Ordering",
    remedy: "Order the join before an arrive of the phase that the wait depends on.",
};

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
