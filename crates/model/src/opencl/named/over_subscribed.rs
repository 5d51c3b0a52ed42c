//! The check of `opencl.named.over-subscribed`.

use crate::rule::RuleId;

/// Passes if at most `count` sub-groups wait for one phase.
///
/// # Errors
/// This rule, if more do.
pub fn check(sub_groups: usize, count: u32) -> Result<(), RuleId> {
    if sub_groups > count as usize { Err(RuleId::OpenclNamedOverSubscribed) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_the_count_may_wait() {
        assert!(check(2, 2).is_ok() && check(1, 2).is_ok() && check(3, 2).is_err());
    }
}
