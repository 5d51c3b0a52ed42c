//! The check of `opencl.split.image-scope`.

use crate::opencl::action::{Flags, Scope};
use crate::rule::RuleId;

/// Passes if these flags allow this scope.
///
/// # Errors
/// This rule, if they may not.
pub fn check(flags: Flags, scope: Scope) -> Result<(), RuleId> {
    if flags.image() && scope != Scope::WorkGroup {
        Err(RuleId::OpenclSplitImageScope)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_allow_one_scope() {
        assert!(check(Flags::IMAGE, Scope::WorkGroup).is_ok());
        assert!(check(Flags::IMAGE, Scope::Device).is_err());
        assert!(check(Flags::LOCAL, Scope::Device).is_ok());
    }
}
