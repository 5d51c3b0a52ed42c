//! The touches of steps, for [`crate::one_run`].
//!
//! A signal or a lost member participates in the open phase. Membership after the last wait of a wave changes nothing, so its
//! end changes no membership. A completion reaches the waves that are members at that time:
//! a join is a change of membership of both objects, so conditions G and P order it with each completion. It reads no counts and
//! an init changes no member, so the two commute. The bit of a wave is set
//! by the first completion after its join or its last wait, and condition P orders that wait with the next completion.

use super::{Class, Machine, State, WIDTH};
use crate::agent::Joined;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::one_run::touch::{Awaited, Part, Passes, Touch, Touches};
use crate::operation::{Action, Object};
use crate::program::Node;
use alloc::vec::Vec;

impl Machine {
    /// Arrivals that complete a phase of each object at launch; `None` if the program is not covered.
    pub(super) fn needed(&self) -> Option<Vec<u32>> {
        let members = |counters: &super::Counters| u32::from(counters.members);
        let cyclic = self.context.reaches.any_cycle();
        let wide = self.context.program.launch.waves >= WIDTH as u32;
        (!cyclic && !wide).then(|| self.initial().objects.iter().map(members).collect())
    }

    /// Adds the touches of the next step of an agent; `false` if it is not covered.
    pub(super) fn touches(&self, state: &State, agent: usize, out: &mut Touches) -> bool {
        let joined = match state.agents[agent].joined {
            Joined::Named(instance, _) => instance,
            _ => NO_INSTANCE,
        };
        match self.node(state, agent) {
            Some(Node::End) => {
                let instances = &self.context.instances;
                push(out, instances.workgroup_of(agent), LOSES);
                push(out, instances.cluster_of(agent), Touch::Close);
                true
            }
            Some(Node::Operation { operation, next }) => {
                let instance = self.context.instances.at(agent, state.agents[agent].node);
                let first = next[0] != next[1];
                self.operation_touches(state, operation.action, (instance, joined, first), out)
            }
            _ => false,
        }
    }

    /// The barrier at which an agent is blocked.
    pub(super) fn awaits(&self, state: &State, agent: usize) -> Option<Awaited> {
        let Some(Node::Operation { operation, .. }) = self.node(state, agent) else { return None };
        let Action::Wait { object } = operation.action else { return None };
        let instance = match (Class::of(object), state.agents[agent].joined) {
            (Class::Named, Joined::Named(joined, _)) => joined,
            (Class::Named, _) => NO_INSTANCE,
            _ => self.context.instances.at(agent, state.agents[agent].node),
        };
        (instance != NO_INSTANCE).then_some(Awaited::Next(instance.into()))
    }

    fn operation_touches(
        &self,
        state: &State,
        action: Action,
        (instance, joined, branches): (InstanceId, InstanceId, bool),
        out: &mut Touches,
    ) -> bool {
        let acts = |object: Object| instance != NO_INSTANCE && !self.ignores(Class::of(object));
        match action {
            Action::Memory(_)
            | Action::Ptx(..)
            | Action::Opencl(_)
            | Action::Caches
            | Action::Condition(_)
            | Action::ReadState { .. } => true,
            Action::Arrive { is_first: true, .. } if branches => false,
            Action::Init { object, expected } => {
                if acts(object) {
                    let needed = (expected & WIDTH) as u32;
                    out.push((u32::from(instance), Touch::Whole { needed, forgets: false }));
                }
                !acts(object) || 0 < expected && expected < WIDTH
            }
            Action::Arrive { object, expected, .. } => {
                !acts(object) || signal(state, instance, expected, out)
            }
            Action::Wait { object } => match Class::of(object) {
                class if self.ignores(class) => true,
                Class::Named if joined == NO_INSTANCE => true,
                Class::Named => push(out, joined, Touch::Wait(Passes::Once)),
                _ => instance != NO_INSTANCE && push(out, instance, Touch::Wait(Passes::Once)),
            },
            Action::Join { .. } if self.ignores(Class::Named) => true,
            Action::Join { .. } => {
                push(out, joined, Touch::Member);
                push(out, instance, Touch::Member)
            }
            Action::Leave | Action::Drop { .. } => {
                let counted = |joined: InstanceId| state.objects[usize::from(joined)].members > 0;
                push(out, joined, LOSES);
                joined == NO_INSTANCE || counted(joined)
            }
        }
    }
}

/// A signal that counts: the object has members, and it keeps their number.
fn signal(state: &State, instance: InstanceId, expected: Option<i64>, out: &mut Touches) -> bool {
    let members = i64::from(state.objects[usize::from(instance)].members);
    let sets = expected.unwrap_or(0) != 0;
    let part = Part { count: 1, arrives: true, keeps: sets, ..Part::NONE };
    out.push((u32::from(instance), Touch::Part(part)));
    members > 0 && members < WIDTH && (!sets || expected == Some(members))
}

/// A wave that is no longer a member. A completion without a signal sets bits, too.
const LOSES: Touch = Touch::Part(Part { count: 1, fewer: 1, arrives: true, ..Part::NONE });

fn push(out: &mut Touches, instance: InstanceId, touch: Touch) -> bool {
    if instance != NO_INSTANCE {
        out.push((u32::from(instance), touch));
    }
    true
}
