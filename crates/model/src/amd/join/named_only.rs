//! The check of `amd.join.named-only`.

use crate::operation::Object;
use crate::rule::RuleId;

/// Passes for a named barrier object, the NULL barrier included.
///
/// # Errors
/// This rule, for any other object.
pub const fn check(object: Object) -> Result<(), RuleId> {
    if object.is_named() { Ok(()) } else { Err(RuleId::AmdJoinNamedOnly) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_objects_pass_and_others_do_not() {
        assert_eq!(check(Object::Named(3)), Ok(()));
        assert_eq!(check(Object::Null), Ok(()));
        for object in [Object::Workgroup, Object::Cluster, Object::Plain(0)] {
            assert_eq!(check(object), Err(RuleId::AmdJoinNamedOnly));
        }
    }
}
