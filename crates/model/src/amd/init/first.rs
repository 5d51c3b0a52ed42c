//! `amd.init.first`: The first modification of a barrier object must be an init. Arriving at or dropping an object that was never initialised is undefined.
//!
//! amdgpu-execution-synchronization, "Barrier-modification-order".

use crate::barrier::Barrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.init.first",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "The first modification of a barrier object must be an init. Arriving at or dropping an object that was never initialised is undefined.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier-modification-order",
    remedy: "Initialise the object and order the init before every other use, for example with a workgroup barrier.",
};

/// Passes if the object was initialised.
///
/// # Errors
/// This rule, if a modification other than an init comes first.
pub const fn check(barrier: Barrier) -> Result<(), RuleId> {
    if barrier.initialised { Ok(()) } else { Err(RuleId::AmdInitFirst) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_initialised_object_passes() {
        assert_eq!(check(Barrier::default()), Err(RuleId::AmdInitFirst));
        assert_eq!(check(Barrier::launched(2)), Ok(()));
    }
}
