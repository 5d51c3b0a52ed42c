//! `ptx.mbarrier.init-on-valid`: A location that holds a valid mbarrier object must not be initialised again before it is invalidated.
//!
//! PTX ISA 9.1, "mbarrier.init".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.init-on-valid",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A location that holds a valid mbarrier object must not be initialised again before it is invalidated.",
    document: "PTX ISA 9.1",
    section: "mbarrier.init",
    remedy: "Invalidate the object first, or initialise it only once.",
};

/// Passes if a location may be initialised.
///
/// # Errors
/// This rule, if the location holds a valid object.
pub fn check(object: Mbarrier) -> Result<(), RuleId> {
    if object.valid { Err(RuleId::PtxMbarrierInitOnValid) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_object_must_not_be_initialised_again() {
        let valid = Mbarrier { valid: true, ..Mbarrier::default() };
        assert_eq!(check(valid), Err(RuleId::PtxMbarrierInitOnValid));
        assert_eq!(check(Mbarrier::default()), Ok(()));
    }
}
