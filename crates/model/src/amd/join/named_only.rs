//! `amd.join.named-only`: Only named barrier objects can be joined.
//!
//! amdgpu-execution-synchronization, "Named Barriers Model Extensions: Barrier Operations".

use crate::operation::Object;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.named-only",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Only named barrier objects can be joined.",
    document: "amdgpu-execution-synchronization",
    section: "Named Barriers Model Extensions: Barrier Operations",
    remedy: "Join a named barrier, or remove the join: other objects need none.",
};

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
