//! The touches of steps, for [`crate::one_run`].
//!
//! The objects are, for each work-group, its barrier and its split barrier, then its named barriers by declaration, then the
//! barrier of each sub-group. All work-items of a group participate in each phase of a barrier that is not named. A barrier
//! holds a work-item until the last one arrives. A work-item that reaches a barrier, or ends, is compared with those that wait
//! or have ended; the second of two that do not agree finds the same broken rule in either order, because neither continues
//! without the other. Accesses and fences change no barrier.
//!
//! *Named barriers.* A phase completes when as many whole sub-groups wait as the constructor says. A work-item counts as one
//! arrival, so a phase needs that number of sub-groups times the size of a sub-group, and the machine must complete it in the
//! same step of the run. Then its participants are whole sub-groups. In every order, the work-items that wait at the barrier
//! are participants of one phase by condition G, so there are enough whole sub-groups when all participants wait, and not before.
//!
//! A construction decides what later waits of the same work-item mean, and touches nothing. Two constructions that do not agree
//! break a rule, whichever is first, and after agreeing constructions the count is the same. A work-item constructs each
//! declaration at most once: a second construction makes a new object, which is left to the search.
//!
//! No phase is over-subscribed. A work-item that stands at a wait has the participants of all earlier phases before it by
//! condition G. So at the completion of a phase, no work-item stands at a wait for a later phase.
//!
//! *Blocked work-items.* A work-item that is blocked participates in the phase that it waits for.

use super::Machine;
use super::state::{Split, Standing, State};
use crate::one_run::order::Order;
use crate::one_run::touch::{Awaited, Part, Passes, Touch, Touches};
use crate::opencl::action::{Action, Group};
use crate::program::Node;
use alloc::vec::Vec;

/// An object that [`crate::one_run`] numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// The barrier of a work-group.
    Group(u32),
    /// The split barrier of a work-group.
    Split(u32),
    /// A named barrier of a work-group, by its declaration.
    Named(u32, u16),
    /// The barrier of a sub-group, numbered over all work-groups.
    SubGroup(usize),
}

impl Machine {
    /// Arrivals that complete a phase of each object; `None` if the program is not covered.
    pub(super) fn needed(&self) -> Option<Vec<u32>> {
        if self.has_cycles() || self.context.program.leaves {
            return None;
        }
        let groups = self.context.program.launch.workgroups;
        let group = self.in_group(0).len() as u32;
        let sub = self.in_sub_group(0).len() as u32;
        let mut needed = alloc::vec![group; 2 * groups as usize];
        needed.resize(needed.len() + groups as usize * self.declared, 0);
        if self.has_sub_barriers() {
            needed.resize(needed.len() + self.sub_groups(groups - 1).end, sub);
        }
        Some(needed)
    }

    /// The barrier of a number.
    #[must_use]
    pub fn located(&self, object: usize) -> Located {
        let groups = self.context.program.launch.workgroups as usize;
        let Some(place) = object.checked_sub(2 * groups) else {
            let group = object as u32 / 2;
            return if object.is_multiple_of(2) {
                Located::Group(group)
            } else {
                Located::Split(group)
            };
        };
        match place.checked_sub(groups * self.declared) {
            Some(sub_group) => Located::SubGroup(sub_group),
            None => {
                let (group, declared) = (place / self.declared, place % self.declared);
                Located::Named(group as u32, declared as u16)
            }
        }
    }

    /// The number of the first named barrier of a work-group.
    fn first_named(&self, group: u32) -> u32 {
        2 * self.context.program.launch.workgroups + group * self.declared as u32
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
    pub(super) fn touches(&self, state: &State, agent: usize, out: &mut Touches) -> bool {
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
                let groups = self.context.program.launch.workgroups;
                (self.first_named(groups) + self.sub_group(agent) as u32, held)
            }
            Some(Action::Arrive { .. }) => (group + 1, Touch::Part(part)),
            Some(Action::Await { .. }) => (group + 1, Touch::Wait(Passes::Own)),
            Some(Action::Construct { object, .. }) => return self.made(state, agent, object) == 0,
            Some(Action::Wait { object, .. }) => {
                let Some(named) = self.object(state, agent, object) else { return false };
                let size = self.in_sub_group(0).len() as u32;
                let Some(needs @ 1..) = named.count.checked_mul(size) else { return false };
                let touch = Touch::Part(Part { needs, holds: true, ..part });
                (self.first_named(self.group(agent)) + u32::from(object), touch)
            }
        };
        out.push(touch);
        true
    }

    /// What a blocked work-item waits for: a phase in which it participates.
    pub(super) fn awaits(&self, state: &State, agent: usize) -> Option<Awaited> {
        let at = state.agents[agent];
        let held = at.standing == Standing::Waiting || at.split == Split::Arrived;
        held.then_some(Awaited::Own)
    }
}
