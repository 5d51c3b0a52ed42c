//! The check of `opencl.named.uniform`.

use crate::opencl::action::Instance;
use crate::rule::RuleId;

/// Passes if two work-items construct an object at the same instance with the same count.
///
/// # Errors
/// This rule, if they do not.
pub fn check(one: (Instance, u32), other: (Instance, u32)) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclNamedUniform) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_iteration_and_count_must_agree() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check((at, 2), (at, 2)), Ok(()));
        assert!(check((at, 2), (at, 3)).is_err());
        assert!(check((at, 2), (Instance { round: 1, ..at }, 2)).is_err());
    }
}
