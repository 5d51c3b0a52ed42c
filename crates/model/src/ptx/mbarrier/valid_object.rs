//! `ptx.mbarrier.valid-object`: Only a valid mbarrier object, initialised and not invalidated, may be operated on.
//!
//! PTX ISA 9.1, "Parallel Synchronization and Communication Instructions: mbarrier support".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.valid-object",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Only a valid mbarrier object, initialised and not invalidated, may be operated on.",
    document: "PTX ISA 9.1",
    section: "Parallel Synchronization and Communication Instructions: mbarrier support",
    remedy: "Order the init before every use, for example with a barrier of all warps after it.",
};

/// Passes if an operation may act on the object.
///
/// # Errors
/// This rule, if the object is not valid.
pub fn check(object: Mbarrier) -> Result<(), RuleId> {
    if object.valid { Ok(()) } else { Err(RuleId::PtxMbarrierValidObject) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_valid_between_init_and_inval() {
        assert_eq!(check(Mbarrier::default()), Err(RuleId::PtxMbarrierValidObject));
        assert_eq!(check(Mbarrier { valid: true, ..Mbarrier::default() }), Ok(()));
    }
}
