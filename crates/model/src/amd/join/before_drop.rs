//! `amd.join.before-drop`: A drop of a named barrier object requires a join by the same agent that is barrier-joined-before the drop.
//!
//! amdgpu-execution-synchronization, "Join and Drop Ordering".

use crate::frozen::Joined;
use crate::instance::InstanceId;
use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.join.before-drop",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A drop of a named barrier object requires a join by the same agent that is barrier-joined-before the drop.",
    document: "amdgpu-execution-synchronization",
    section: "Join and Drop Ordering",
    remedy: "Join the object before the drop, with no other join or drop in between.",
};

/// Whether the agent's last join is of this object and still *barrier-joined-before* its next operation.
#[must_use]
pub fn holds(joined: Joined, instance: InstanceId) -> bool {
    joined == Joined::Named(instance, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_join_without_a_later_drop_counts() {
        assert!(holds(Joined::Named(4, true), 4));
        for joined in
            [Joined::Nothing, Joined::Null, Joined::Named(4, false), Joined::Named(5, true)]
        {
            assert!(!holds(joined, 4), "{joined:?}");
        }
    }
}
