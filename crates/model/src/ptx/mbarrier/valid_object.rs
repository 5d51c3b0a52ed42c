//! The check of `ptx.mbarrier.valid-object`.

use crate::ptx::object::Mbarrier;
use crate::rule::RuleId;

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
