//! The touches of steps, for [`crate::one_run`].
//!
//! The objects are, for each work-group, its barrier and its split barrier, then the barrier of each sub-group. All
//! work-items of a group participate in each phase. A barrier holds a work-item until the last one arrives. A work-item that
//! reaches a barrier, or ends, is compared with those that wait or have ended; the second of two that do not agree finds the
//! same broken rule in either order, because neither continues without the other. Accesses and fences change no barrier.
//!
//! Named barriers are left to the search.

use super::Machine;
use super::state::{Split, Standing, State};
use crate::one_run::order::Order;
use crate::one_run::touch::{Part, Passes, Touch, Touches};
use crate::opencl::action::{Action, Group};
use crate::program::Node;
use alloc::vec::Vec;

impl Machine {
    /// Arrivals that complete a phase of each object; `None` if the program is not covered.
    pub(super) fn needed(&self) -> Option<Vec<u32>> {
        if self.declared > 0 || self.has_cycles() || self.context.program.leaves {
            return None;
        }
        let groups = self.context.program.launch.workgroups;
        let group = self.in_group(0).len() as u32;
        let sub = self.in_sub_group(0).len() as u32;
        let mut needed = alloc::vec![group; 2 * groups as usize];
        if self.has_sub_barriers() {
            needed.resize(needed.len() + self.sub_groups(groups - 1).end, sub);
        }
        Some(needed)
    }

    fn has_sub_barriers(&self) -> bool {
        self.context.operations().any(|(_, _, operation)| {
            matches!(
                operation.action,
                crate::operation::Action::Opencl(Action::Barrier { group: Group::Sub, .. })
            )
        })
    }

    /// Whether a state after a step of an agent agrees with the clocks on an object.
    pub(super) fn agrees(state: &State, object: usize, (order, agent): (&Order, usize)) -> bool {
        let at = state.agents[agent];
        let split = object % 2 == 1 && object < 2 * state.phases.len();
        if split {
            return at.standing == Standing::Ended
                || (at.split == Split::Arrived) == order.is_part(object, agent);
        }
        (at.standing == Standing::Waiting) == order.holds(object, agent)
    }

    /// Adds the touches of the next step of an agent; `false` if it is not covered.
    pub(super) fn touches_of(&self, state: &State, agent: usize, out: &mut Touches) -> bool {
        match self.node(state, agent) {
            Some(Node::End) => return true,
            Some(Node::Operation { .. }) => {}
            _ => return false,
        }
        let group = 2 * self.group(agent);
        let part = Part { count: 1, arrives: true, ..Part::NONE };
        let held = Touch::Part(Part { holds: true, ..part });
        let touch = match self.action(state, agent) {
            None => return true,
            Some(Action::Barrier { group: Group::Work, .. }) => (group, held),
            Some(Action::Barrier { group: Group::Sub, .. }) => {
                let groups = 2 * state.phases.len() as u32;
                (groups + self.sub_group(agent) as u32, held)
            }
            Some(Action::Arrive { .. }) => (group + 1, Touch::Part(part)),
            Some(Action::Await { .. }) => (group + 1, Touch::Wait(Passes::Own)),
            Some(Action::Construct { .. } | Action::Wait { .. }) => return false,
        };
        out.push(touch);
        true
    }
}
