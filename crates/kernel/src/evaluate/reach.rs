//! The scopes of atomic accesses.
//!
//! Two atomic accesses of different agents race if the scope of one does not include the agent of the other. If all scopes of a
//! module include all agents of the launch, all accesses have the same reach, so that equal agents stay equal.

use super::world::Run;
use crate::ir::Access;
use tidegate_model::mem::operation::Scope;
use tidegate_model::operation::Reach;

impl Run<'_> {
    /// The agents for which an access is atomic; `None` if it is not atomic.
    pub(super) fn reach(&self, access: &Access) -> Option<Reach> {
        let scope = access.atomic?;
        let one_group = self.standing.launch.group_count() <= 1 && scope >= Scope::Workgroup;
        if !self.world.narrow || one_group {
            return Some(Reach::ALL);
        }
        let number = |group: u32| u16::try_from(group).unwrap_or(u16::MAX);
        let cluster = number(self.standing.group_of_rank(Some(0)));
        Some(Reach { scope, group: number(self.standing.group), cluster })
    }

    /// Whether an access is atomic for all agents that can access an object.
    pub(super) fn is_atomic_for_all(&self, access: &Access, local: bool) -> bool {
        let least = if local { Scope::Workgroup } else { Scope::Agent };
        self.reach(access).is_some_and(|reach| reach.scope >= least)
    }
}
