//! `tlx.single-arrive`: Each call of `tlx.barrier_arrive` should arrive once; the allocation gives the number of arrivals.
//!
//! tlx-barriers, "Barrier APIs", the note on `tlx.barrier_arrive`.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tlx.single-arrive",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Each call of `tlx.barrier_arrive` should arrive once; the allocation gives the number of arrivals.",
    document: "tlx-barriers",
    section: "Barrier APIs",
    remedy: "Arrive with arrive_count=1, and allocate the barrier with the number of calls that complete a phase.",
};

/// Passes if the count of a `tlx.barrier_arrive` is the recommended one.
///
/// # Errors
/// This rule, for every other count.
pub const fn check(count: i64) -> Result<(), RuleId> {
    if count == 1 { Ok(()) } else { Err(RuleId::TlxSingleArrive) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_recommended() {
        assert_eq!(check(1), Ok(()));
        for count in [i64::MIN, -1, 0, 2, 128, i64::MAX] {
            assert_eq!(check(count), Err(RuleId::TlxSingleArrive));
        }
    }
}
