//! The check of `amd.object.scope`.

use crate::instance::Instance;
use crate::operation::Object;
use crate::rule::RuleId;

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
