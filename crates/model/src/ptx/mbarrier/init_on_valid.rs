//! The check of `ptx.mbarrier.init-on-valid`.

use crate::ptx::object::Mbarrier;
use crate::rule::RuleId;

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
