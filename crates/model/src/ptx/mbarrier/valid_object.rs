//! `ptx.mbarrier.valid-object`: Only an mbarrier object that is initialised and not invalidated may be operated on.
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
    statement: "Only an mbarrier object that is initialised and not invalidated may be operated on.",
    document: "PTX ISA 9.1",
    section: "Parallel Synchronization and Communication Instructions: mbarrier support",
    remedy: "Order the init before every use, for example with a barrier of all warps behind it.",
};

/// Whether the object can be operated on.
///
/// # Errors
/// This rule, when it is not initialised.
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
