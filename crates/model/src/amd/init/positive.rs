//! `amd.init.positive`: The expected count that an init sets is positive.
//!
//! amdgpu-execution-synchronization, "Barrier Objects; Barrier Operations".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.init.positive",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "The expected count that an init sets is positive.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Objects; Barrier Operations",
    remedy: "Initialise with the number of operations that arrive in a phase, at least 1.",
};

/// The expected count as an object keeps it.
///
/// # Errors
/// This rule, when the count is not positive.
pub fn check(expected: i64) -> Result<i32, RuleId> {
    if expected < 1 {
        Err(RuleId::AmdInitPositive)
    } else {
        Ok(i32::try_from(expected).unwrap_or(i32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_less_break_it() {
        assert_eq!(check(-1), Err(RuleId::AmdInitPositive));
        assert_eq!(check(0), Err(RuleId::AmdInitPositive));
        assert_eq!(check(1), Ok(1));
    }
}
