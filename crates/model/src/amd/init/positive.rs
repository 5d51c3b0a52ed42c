//! `amd.init.positive`: An init must set a positive expected count.
//!
//! amdgpu-execution-synchronization, "Barrier Objects; Barrier Operations".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.init.positive",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "An init must set a positive expected count.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Objects; Barrier Operations",
    remedy: "Initialise the object with the number of arrivals in a phase, at least 1.",
};

/// The expected count as stored in an object.
///
/// # Errors
/// This rule, if the count is not positive.
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
    fn counts_below_one_break_the_rule() {
        assert_eq!(check(-1), Err(RuleId::AmdInitPositive));
        assert_eq!(check(0), Err(RuleId::AmdInitPositive));
        assert_eq!(check(1), Ok(1));
    }
}
