//! `ptx.mbarrier.foreign-access`: Only mbarrier operations may access memory that holds a valid mbarrier object.
//!
//! PTX ISA 9.1, "Parallel Synchronization and Communication Instructions: mbarrier support".

use crate::ptx::transition::Mbarrier;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.foreign-access",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Only mbarrier operations may access memory that holds a valid mbarrier object.",
    document: "PTX ISA 9.1",
    section: "Parallel Synchronization and Communication Instructions: mbarrier support",
    remedy: "Invalidate the object before its memory is used for anything else.",
};

/// Passes if operations other than mbarrier operations may access the memory.
///
/// # Errors
/// This rule, if the memory holds a valid object.
pub fn check(object: Mbarrier) -> Result<(), RuleId> {
    if object.valid { Err(RuleId::PtxMbarrierForeignAccess) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_with_a_valid_object_is_protected() {
        let valid = Mbarrier { valid: true, ..Mbarrier::default() };
        assert_eq!(check(valid), Err(RuleId::PtxMbarrierForeignAccess));
        assert_eq!(check(Mbarrier::default()), Ok(()));
    }
}
