//! The check of `amd.init.first`.

use crate::barrier::Barrier;
use crate::rule::RuleId;

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
