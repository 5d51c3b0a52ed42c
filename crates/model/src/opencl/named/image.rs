//! The check of `opencl.named.image`.

use crate::opencl::action::Flags;
use crate::rule::RuleId;

/// Passes if a wait on a named barrier may have these flags.
///
/// # Errors
/// This rule, if it may not.
pub fn check(flags: Flags) -> Result<(), RuleId> {
    if flags.image() { Err(RuleId::OpenclNamedImage) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_and_global_flags_are_allowed() {
        assert!(check(Flags::new(3)).is_ok() && check(Flags::new(0)).is_ok());
        assert!(check(Flags::IMAGE).is_err() && check(Flags::new(5)).is_err());
    }
}
