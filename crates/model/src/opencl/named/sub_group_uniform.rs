//! The check of `opencl.named.sub-group-uniform`.

use crate::opencl::action::Instance;
use crate::rule::RuleId;

/// Passes if two work-items of a sub-group wait on the same object and instance.
///
/// # Errors
/// This rule, if they do not.
pub fn check(one: (u16, Instance), other: (u16, Instance)) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclNamedSubGroupUniform) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_and_instance_must_agree() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check((0, at), (0, at)), Ok(()));
        assert!(check((0, at), (1, at)).is_err());
        assert!(check((0, at), (0, Instance { site: 2, ..at })).is_err());
    }
}
