//! `ptx.mbarrier.foreign-access`: Memory that holds a valid mbarrier object may be accessed by mbarrier operations alone.
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
    statement: "Memory that holds a valid mbarrier object may be accessed by mbarrier operations alone.",
    document: "PTX ISA 9.1",
    section: "Parallel Synchronization and Communication Instructions: mbarrier support",
    remedy: "Invalidate the object before its memory is used for anything else.",
};

/// Whether the memory may be accessed by anything else.
///
/// # Errors
/// This rule, when a valid object stands there.
pub fn check(object: Mbarrier) -> Result<(), RuleId> {
    if object.valid { Err(RuleId::PtxMbarrierForeignAccess) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_without_a_valid_object() {
        let valid = Mbarrier { valid: true, ..Mbarrier::default() };
        assert_eq!(check(valid), Err(RuleId::PtxMbarrierForeignAccess));
        assert_eq!(check(Mbarrier::default()), Ok(()));
    }
}
