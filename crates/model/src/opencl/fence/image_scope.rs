//! The check of `opencl.fence.image-scope`.

use crate::opencl::action::{Flags, Scope};
use crate::rule::RuleId;

/// Passes if these flags allow this scope.
///
/// # Errors
/// This rule, if they may not.
pub fn check(flags: Flags, scope: Scope) -> Result<(), RuleId> {
    if flags.image() && !matches!(scope, Scope::WorkGroup | Scope::Device) {
        Err(RuleId::OpenclFenceImageScope)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_allow_two_scopes() {
        let fine: alloc::vec::Vec<Scope> =
            Scope::ALL.into_iter().filter(|&scope| check(Flags::IMAGE, scope).is_ok()).collect();
        assert_eq!(fine, [Scope::WorkGroup, Scope::Device]);
        assert!(Scope::ALL.into_iter().all(|scope| check(Flags::GLOBAL, scope).is_ok()));
    }
}
