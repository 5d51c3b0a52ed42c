//! The check of `opencl.barrier.uniform-arguments`.

use crate::opencl::action::Arguments;
use crate::rule::RuleId;

/// Passes if two work-items that execute the same barrier, asynchronous copy or wait for copies pass the same arguments.
///
/// # Errors
/// This rule, if they did not.
pub fn check(one: Arguments, other: Arguments) -> Result<(), RuleId> {
    if (one.flags, one.scope, one.others) == (other.flags, other.scope, other.others) {
        Ok(())
    } else {
        Err(RuleId::OpenclBarrierUniformArguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::{Flags, Scope};

    #[test]
    fn a_default_argument_equals_its_written_value() {
        let default =
            Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false, others: 0 };
        assert_eq!(check(default, Arguments { given: true, ..default }), Ok(()));
        assert!(check(default, Arguments { flags: Flags::GLOBAL, ..default }).is_err());
        assert!(check(default, Arguments { scope: Scope::Device, ..default }).is_err());
        assert!(check(default, Arguments { others: 7, ..default }).is_err());
    }
}
