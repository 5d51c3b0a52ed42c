//! The check of `amd.join.before-drop`.

use crate::agent::Joined;
use crate::instance::InstanceId;

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
