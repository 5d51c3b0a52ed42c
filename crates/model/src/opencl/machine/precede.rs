//! Whether another work-item of the work-group can do something before a step that does not commute with it.
//!
//! A step does not commute with another if the second of the two breaks a rule that ends the path. The other work-item is followed
//! from its node, with its state at the split barrier, to the first operation that it cannot pass before the agent moves, or
//! that ends the path in either order:
//!
//! * No barrier of the work-group is passed before the agent moves. The same holds for those of its sub-group, and for a phase of the
//!   split barrier in which it has not arrived.
//! * Two equal calls of one barrier commute. Otherwise the calls conflict: the first is the one that the second is compared with.
//! * An arrive at the split barrier and a barrier of the work-group conflict.
//! * An end conflicts with all that others still expect of the work-item.

use super::Machine;
use super::node::{action_of, bit};
use super::state::{Split, Standing, State};
use crate::opencl::action::{Action, Group};
use crate::program::Node;
use crate::program::successors;
use alloc::vec::Vec;

/// The step of an agent: an operation, or its end.
#[derive(Clone, Copy)]
struct Own<'a> {
    machine: &'a Machine,
    state: &'a State,
    agent: usize,
    action: Option<Action>,
}

/// What the next step of another work-item means for the step.
enum Other {
    /// The two do not commute.
    Conflicts,
    /// The work-item cannot continue before the step, or ends the path in either order.
    Stays,
    /// It continues, in this state.
    GoesOn(Split),
}

/// A conflict under a condition; otherwise the work-item stays where it is.
const fn conflicts_if(condition: bool) -> Other {
    if condition { Other::Conflicts } else { Other::Stays }
}

impl Machine {
    /// Whether another work-item can do something before the next step of an agent that does not commute with it.
    pub(super) fn is_preceded(&self, state: &State, agent: usize) -> bool {
        let action = self.action(state, agent);
        let ends = matches!(self.node(state, agent), Some(Node::End | Node::Divergent));
        if !self.several || self.context.program.leaves || action.is_none() && !ends {
            return false;
        }
        let own = Own { machine: self, state, agent, action };
        let mut before = None;
        self.in_group(self.group(agent)).filter(|&other| other != agent).any(|other| {
            // Most work-items are like the one before.
            let body = self.context.program.agents[other].body;
            let made = &state.made[other * self.declared..(other + 1) * self.declared];
            let like = Some((body, state.agents[other], made, own.is_near(other)));
            let is_new = before != like;
            before = like;
            is_new && own.is_preceded_by(other)
        })
    }
}

impl Own<'_> {
    /// Whether a work-item can do something that does not commute with the step.
    fn is_preceded_by(self, other: usize) -> bool {
        let at = self.state.agents[other];
        let waits = self.machine.waits_at(self.state, other);
        let held = waits.is_some_and(|action| self.is_near(other) || action.is_of_work_group());
        if held || at.standing == Standing::Ended {
            return false;
        }
        let nodes = &self.machine.context.program.body_of(other).nodes;
        let mut seen: Vec<(u32, Split)> = Vec::new();
        let mut stack = alloc::vec![(at.node, at.split)];
        while let Some((place, split)) = stack.pop() {
            if seen.contains(&(place, split)) {
                continue;
            }
            seen.push((place, split));
            let node = &nodes[place as usize];
            let effect = match (node, action_of(node)) {
                (Node::End | Node::Divergent, _) => {
                    conflicts_if(self.conflicts_with_end(other, split))
                }
                (_, Some(action)) => self.effect_of(other, action, split, successors(node)),
                _ => Other::GoesOn(split),
            };
            match effect {
                Other::Conflicts => return true,
                Other::Stays => {}
                Other::GoesOn(split) => {
                    stack.extend(successors(node).iter().map(|&next| (next, split)));
                }
            }
        }
        false
    }

    /// Whether a work-item is of the sub-group of the agent.
    fn is_near(self, other: usize) -> bool {
        self.machine.sub_group(other) == self.machine.sub_group(self.agent)
    }

    /// Whether the end of a work-item does not commute with the step.
    fn conflicts_with_end(self, other: usize, split: Split) -> bool {
        match self.action {
            None => false,
            Some(Action::Await { .. }) => split == Split::Complete,
            Some(Action::Arrive { .. }) => split != Split::Arrived,
            Some(Action::Barrier { group: Group::Work, .. }) => true,
            Some(Action::Barrier { .. } | Action::Wait { .. }) => self.is_near(other),
            Some(Action::Construct { object, .. }) => {
                let made = |agent| self.machine.made(self.state, agent, object);
                made(other) <= made(self.agent)
            }
        }
    }

    /// What an operation of another work-item in some state of the split barrier means for the step.
    fn effect_of(self, other: usize, theirs: Action, split: Split, next: &[u32]) -> Other {
        let (near, own) = (self.is_near(other), self.action);
        let gathers = own.is_none_or(Action::gathers);
        match theirs {
            Action::Barrier { group: Group::Work, .. } => match own {
                Some(Action::Arrive { .. }) => Other::Conflicts,
                _ if near || own.is_none_or(Action::is_of_work_group) => {
                    conflicts_if(gathers && own != Some(theirs))
                }
                _ => Other::Stays,
            },
            Action::Barrier { .. } | Action::Wait { .. } if near => {
                conflicts_if(gathers && own != Some(theirs))
            }
            Action::Barrier { .. } | Action::Wait { .. } => Other::GoesOn(split),
            Action::Construct { object, .. } => {
                match self.conflicts_with_construction(other, theirs, (object, next)) {
                    true => Other::Conflicts,
                    false => Other::GoesOn(split),
                }
            }
            Action::Arrive { .. } => match own {
                Some(Action::Barrier { group: Group::Work, .. }) | None => Other::Conflicts,
                // It ends the path.
                _ if split != Split::Idle => Other::Stays,
                Some(Action::Arrive { .. }) if own != Some(theirs) => Other::Conflicts,
                _ => Other::GoesOn(Split::Arrived),
            },
            Action::Await { .. } => match (split, own, self.state.agents[self.agent].split) {
                (Split::Idle, ..) => Other::Stays,
                (Split::Arrived, _, Split::Idle | Split::Complete) => Other::Stays,
                (_, Some(Action::Await { .. }), _) => conflicts_if(own != Some(theirs)),
                (_, None, Split::Arrived | Split::Complete) => Other::Conflicts,
                _ => Other::GoesOn(Split::Idle),
            },
        }
    }

    /// Whether a construction of a named barrier by another work-item, after which it continues at `next`, conflicts.
    fn conflicts_with_construction(
        self,
        other: usize,
        theirs: Action,
        (object, next): (u16, &[u32]),
    ) -> bool {
        let made = |agent| self.machine.made(self.state, agent, object);
        let makes = &self.machine.makes[self.machine.context.program.agents[other].body as usize];
        let again = next.iter().any(|&next| makes[next as usize] & bit(object) != 0);
        match self.action {
            None => again || made(other) >= made(self.agent),
            Some(own @ Action::Construct { object: same, .. }) => {
                same == object && (own != theirs || again && made(other) <= made(self.agent))
            }
            _ => false,
        }
    }
}
