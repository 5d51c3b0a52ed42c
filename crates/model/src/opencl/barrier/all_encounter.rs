//! The check of `opencl.barrier.all-encounter`.

use crate::opencl::action::Instance;
use crate::rule::RuleId;

/// Passes if two work-items of the group execute the same dynamic instance.
///
/// # Errors
/// This rule, if they do not.
pub fn check(one: Instance, other: Instance) -> Result<(), RuleId> {
    if one == other { Ok(()) } else { Err(RuleId::OpenclBarrierAllEncounter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_and_iteration_identify_an_instance() {
        let at = Instance { site: 1, round: 0 };
        assert_eq!(check(at, at), Ok(()));
        assert!(check(at, Instance { site: 2, ..at }).is_err());
        assert!(check(at, Instance { round: 1, ..at }).is_err());
    }
}
