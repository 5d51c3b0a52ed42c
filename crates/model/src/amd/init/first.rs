//! The check of `amd.init.first`.

use crate::rule::RuleId;

/// Passes if the object was initialised.
///
/// # Errors
/// This rule, if a modification other than an init comes first.
pub const fn check(initialised: bool) -> Result<(), RuleId> {
    if initialised { Ok(()) } else { Err(RuleId::AmdInitFirst) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_initialised_object_passes() {
        assert_eq!(check(false), Err(RuleId::AmdInitFirst));
        assert_eq!(check(true), Ok(()));
    }
}
