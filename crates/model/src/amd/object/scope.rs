//! `amd.object.scope`: A barrier object belongs to one instance of its scope; only agents in that instance may use it.
//!
//! amdgpu-execution-synchronization, "Barrier Objects".

use crate::instance::Instance;
use crate::operation::Object;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.object.scope",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A barrier object belongs to one instance of its scope; only agents in that instance may use it.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier Objects",
    remedy: "Use a cluster barrier to synchronise workgroups.",
};

/// Passes if an agent of `workgroup` may use the instance. Only a plain object can be named from outside its workgroup:
/// the location of the agent selects the instance of other objects.
///
/// # Errors
/// This rule, if the object belongs to another workgroup.
pub const fn check(workgroup: u32, instance: Instance) -> Result<(), RuleId> {
    match instance.object {
        Object::Plain(_) if instance.place != workgroup => Err(RuleId::AmdObjectScope),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_object_belongs_to_one_workgroup() {
        let plain = Instance { object: Object::Plain(0), place: 1 };
        assert_eq!(check(1, plain), Ok(()));
        assert_eq!(check(0, plain), Err(RuleId::AmdObjectScope));
        assert_eq!(check(3, Instance { object: Object::Cluster, place: 1 }), Ok(()));
    }
}
