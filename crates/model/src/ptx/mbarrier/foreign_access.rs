//! The check of `ptx.mbarrier.foreign-access`.

use crate::ptx::object::Mbarrier;
use crate::rule::RuleId;

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
