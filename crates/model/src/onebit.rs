//! The hardware model of AMD barriers (public, not measured), with one completion bit per class of barriers.
//!
//! An object has a member count and a signal count of seven bits. A wave has the named barrier that it joined and one
//! completion bit for each class of barriers. A completion sets the bit of every live member; a wait blocks until its bit
//! is set, and clears it. Completions are not counted: one that occurs before the wait for the previous one is lost.

use crate::agent::{AgentState, Joined};
use crate::context::Context;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Form, Object, Operation};
use crate::program::Node;
use crate::reach::instance_bit;
use crate::symmetry;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The value at which members and signals saturate.
pub const WIDTH: i64 = 0x7f;

/// The class of a barrier object. Each wave has one completion bit per class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The workgroup barrier.
    Workgroup,
    /// Named barriers.
    Named,
    /// The cluster barrier.
    Cluster,
}

impl Class {
    const fn of(object: Object) -> Self {
        match object {
            Object::Workgroup => Self::Workgroup,
            Object::Cluster => Self::Cluster,
            _ => Self::Named,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Bits beside the completion bits, only in workgroups of one wave: whether SCC was ever set, and its value.
const SCC_SET: u8 = 1 << 3;
const SCC: u8 = 1 << 4;

/// The counts of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Member count.
    pub members: u8,
    /// Signal count.
    pub signals: u8,
}

impl Counters {
    /// *init*: sets the members unless the count is 0, and clears the signals.
    #[must_use]
    pub const fn init(self, count: i64) -> Self {
        let members = if count == 0 { self.members } else { (count & WIDTH) as u8 };
        Self { members, signals: 0 }
    }

    /// *signal*: a non-zero count sets the members first; an object without members ignores it. Returns whether it was the
    /// first signal, and whether the barrier completed.
    #[must_use]
    pub const fn signal(self, count: i64) -> (Self, bool, bool) {
        let members = if count == 0 { self.members } else { (count & WIDTH) as u8 };
        if members == 0 {
            return (Self { members, ..self }, false, false);
        }
        let first = self.signals == 0;
        let signals = if self.signals as i64 == WIDTH { self.signals } else { self.signals + 1 };
        if signals >= members {
            (Self { members, signals: 0 }, first, true)
        } else {
            (Self { members, signals }, first, false)
        }
    }

    /// Removes a member; returns whether the barrier completed.
    #[must_use]
    pub const fn leave(self) -> (Self, bool) {
        let members = self.members.saturating_sub(1);
        if self.signals >= members {
            (Self { members, signals: 0 }, true)
        } else {
            (Self { members, ..self }, false)
        }
    }

    /// The word that `s_get_barrier_state` reads: valid bit 0, members from bit 4, signals from bit 16, and from bit 24 the
    /// number of allocated blocks of four named barriers.
    #[must_use]
    pub const fn word(self, blocks: u8) -> u32 {
        1 | (self.members as u32) << 4 | (self.signals as u32) << 16 | (blocks as u32 & 7) << 24
    }
}

/// A state of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By agent.
    pub agents: Vec<AgentState>,
    /// Completion bits by agent; in a workgroup of one wave also SCC, which an ignored `isfirst` does not change.
    pub bits: Vec<u8>,
    /// By instance.
    pub objects: Vec<Counters>,
    /// Whether a completion was lost.
    pub lost: bool,
}

/// A program prepared for stepping.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The program.
    pub context: Rc<Context>,
}

impl Machine {
    /// Prepares a program; `None` if it uses plain objects of the model or divergent lanes, which the hardware model does not
    /// have.
    #[must_use]
    pub fn new(context: Rc<Context>) -> Option<Self> {
        let plain = context
            .instances
            .list
            .iter()
            .any(|instance| matches!(instance.object, Object::Plain(_)));
        let divergent =
            context.program.bodies.iter().any(|body| body.nodes.contains(&Node::Divergent));
        (!plain && !divergent).then_some(Self { context })
    }

    /// The state at launch.
    #[must_use]
    pub fn initial(&self) -> State {
        let launch = self.context.program.launch;
        let members = |object: Object| match object {
            Object::Workgroup => launch.waves.min(WIDTH as u32) as u8,
            Object::Cluster => launch.workgroups_per_cluster().min(WIDTH as u32) as u8,
            _ => 0,
        };
        let agents = self.context.program.agents.len();
        let object = |instance: &crate::instance::Instance| Counters {
            members: members(instance.object),
            signals: 0,
        };
        State {
            agents: alloc::vec![AgentState::default(); agents],
            bits: alloc::vec![0; agents],
            objects: self.context.instances.list.iter().map(object).collect(),
            lost: false,
        }
    }

    fn node(&self, state: &State, agent: usize) -> Option<&Node> {
        let at = state.agents[agent];
        (!at.ended).then(|| &self.context.program.body_of(agent).nodes[at.node as usize])
    }

    /// A workgroup of one wave treats its workgroup and named barrier instructions as no-ops.
    fn ignores(&self, class: Class) -> bool {
        self.context.program.launch.waves == 1 && class != Class::Cluster
    }

    /// The number of outcomes of the next step of an agent: the alternatives of a `choose`, otherwise one; 0 if it has ended or
    /// is blocked.
    #[must_use]
    pub fn ways(&self, state: &State, agent: usize) -> usize {
        let first = self.context.program.host_chooses && state.agents[0].node == 0;
        match self.node(state, agent) {
            None => 0,
            Some(_) if agent > 0 && first => 0,
            Some(Node::Choose { next }) => next.len(),
            Some(Node::Operation { operation, .. }) => match operation.action {
                Action::Wait { object } => usize::from(
                    self.waits_for(state, agent, object)
                        .is_none_or(|class| state.bits[agent] & class.bit() != 0),
                ),
                Action::Arrive { object, is_first: true, .. } => {
                    let open = self.ignores(Class::of(object))
                        && !is_preset(*operation)
                        && state.bits[agent] & SCC_SET == 0;
                    1 + usize::from(open)
                }
                _ => 1,
            },
            Some(Node::Divergent | Node::End) => 1,
        }
    }

    /// The class whose bit a wait needs; `None` if the wait is a no-op.
    fn waits_for(&self, state: &State, agent: usize, object: Object) -> Option<Class> {
        let class = Class::of(object);
        let joined = matches!(state.agents[agent].joined, Joined::Named(..));
        (!self.ignores(class) && (class != Class::Named || joined)).then_some(class)
    }

    /// Whether a completion of an instance sets the bit of an agent.
    #[must_use]
    pub fn is_member(&self, state: &State, agent: usize, instance: InstanceId) -> bool {
        let class = Class::of(self.context.object(instance));
        !state.agents[agent].ended && self.of_class(state, agent, class) == Some(instance)
    }

    /// Whether the completion bit of an agent for the class of an instance is set, and refers to that instance.
    #[must_use]
    pub fn is_set(&self, state: &State, agent: usize, instance: InstanceId) -> bool {
        let class = Class::of(self.context.object(instance));
        state.bits[agent] & class.bit() != 0 && self.is_member(state, agent, instance)
    }

    /// The instance of a class that an agent is a member of; for named barriers, the one that it joined.
    fn of_class(&self, state: &State, agent: usize, class: Class) -> Option<InstanceId> {
        let instances = &self.context.instances;
        let instance = match (class, state.agents[agent].joined) {
            (Class::Workgroup, _) => instances.workgroup_of(agent),
            (Class::Cluster, _) => instances.cluster_of(agent),
            (Class::Named, Joined::Named(instance, _)) => instance,
            (Class::Named, _) => NO_INSTANCE,
        };
        (instance != NO_INSTANCE).then_some(instance)
    }

    /// The instance that the next step of an agent acts on, and whether the step completes it. The end of a wave acts on its
    /// workgroup barrier.
    #[must_use]
    pub fn acts_on(&self, state: &State, agent: usize) -> Option<(InstanceId, bool)> {
        let counters = |instance: InstanceId| state.objects[usize::from(instance)];
        let left = |instance| (instance, counters(instance).leave().1);
        let named = self.context.instances.at(agent, state.agents[agent].node);
        match self.node(state, agent)? {
            Node::End => self.of_class(state, agent, Class::Workgroup).map(left),
            Node::Choose { .. } | Node::Divergent => None,
            Node::Operation { operation, .. } => match operation.action {
                Action::Wait { object } => {
                    let class = self.waits_for(state, agent, object)?;
                    self.of_class(state, agent, class).map(|instance| (instance, false))
                }
                Action::Leave | Action::Drop { .. } => {
                    self.of_class(state, agent, Class::Named).map(left)
                }
                Action::Init { object, .. } | Action::Arrive { object, .. }
                    if named == NO_INSTANCE || self.ignores(Class::of(object)) =>
                {
                    None
                }
                Action::Arrive { expected, .. } => {
                    Some((named, counters(named).signal(expected.unwrap_or(0)).2))
                }
                _ => (named != NO_INSTANCE).then_some((named, false)),
            },
        }
    }

    /// Performs the next step of an agent, which must be one of [`Machine::ways`].
    #[must_use]
    pub fn perform(&self, state: &State, agent: usize, way: usize) -> State {
        let mut next = state.clone();
        self.advance(&mut next, agent, way);
        next
    }

    /// The same on the state itself.
    fn advance(&self, state: &mut State, agent: usize, way: usize) {
        match self.node(state, agent) {
            None | Some(Node::Divergent) => {}
            Some(Node::Choose { .. })
                if self.context.program.host_chooses && state.agents[0].node == 0 =>
            {
                let program = &self.context.program;
                for (at, one) in state.agents.iter_mut().enumerate() {
                    one.node = program.host_choice(at, way);
                }
            }
            Some(Node::Choose { next: ways }) => {
                state.agents[agent].node = ways[way.min(ways.len() - 1)]
            }
            Some(Node::End) => self.end(state, agent),
            Some(Node::Operation { operation, next: successors }) => {
                let outcome = self.operate(state, agent, *operation, way != 0);
                state.agents[agent].node = successors[usize::from(outcome)];
            }
        }
    }

    /// Performs an operation. For a test for the first arrival, returns SCC: whether this arrive was first or, if the operation
    /// is ignored, the previous value, which is `unset` if no operation has set it.
    fn operate(&self, state: &mut State, agent: usize, operation: Operation, unset: bool) -> bool {
        let instance = self.context.instances.at(agent, state.agents[agent].node);
        let acts = |object: Object| instance != NO_INSTANCE && !self.ignores(Class::of(object));
        match operation.action {
            Action::Condition(value) => self.set_scc(state, agent, value),
            Action::Init { object, expected } if acts(object) => {
                let counters = &mut state.objects[usize::from(instance)];
                *counters = counters.init(expected);
            }
            Action::Arrive { object, expected, is_first } if acts(object) => {
                let (next, first, completed) =
                    state.objects[usize::from(instance)].signal(expected.unwrap_or(0));
                state.objects[usize::from(instance)] = next;
                if completed {
                    self.complete(state, instance);
                }
                if is_first {
                    self.set_scc(state, agent, first);
                }
                return is_first && first;
            }
            Action::Arrive { object, is_first: true, .. } if self.ignores(Class::of(object)) => {
                if is_preset(operation) {
                    self.set_scc(state, agent, true);
                } else if state.bits[agent] & SCC_SET == 0 {
                    self.set_scc(state, agent, unset);
                }
                return state.bits[agent] & SCC != 0;
            }
            Action::Wait { object } => {
                if let Some(class) = self.waits_for(state, agent, object) {
                    state.bits[agent] &= !class.bit();
                }
            }
            Action::Join { object } if !self.ignores(Class::Named) => {
                state.bits[agent] &= !Class::Named.bit();
                state.agents[agent].joined = match object {
                    _ if instance != NO_INSTANCE => Joined::Named(instance, true),
                    _ => Joined::Nothing,
                };
            }
            Action::Leave | Action::Drop { .. } => {
                if let Joined::Named(joined, _) = state.agents[agent].joined {
                    state.agents[agent].joined = Joined::Nothing;
                    state.bits[agent] &= !Class::Named.bit();
                    self.lose_member(state, joined);
                }
            }
            _ => {}
        }
        false
    }

    /// Records SCC if a later `isfirst` may be ignored.
    fn set_scc(&self, state: &mut State, agent: usize, value: bool) {
        if self.ignores(Class::Workgroup) {
            let kept = state.bits[agent] & !SCC;
            state.bits[agent] = kept | SCC_SET | if value { SCC } else { 0 };
        }
    }

    /// The word that `s_get_barrier_state` reads of an object. Named barriers also say how many blocks of four are
    /// allocated: as many as the highest ID needs that the program names.
    #[must_use]
    pub fn word(&self, state: &State, instance: InstanceId) -> u32 {
        let named = |object: Object| match object {
            Object::Named(id) => id,
            _ => 0,
        };
        let highest = self.context.instances.list.iter().map(|at| named(at.object)).max();
        let is_named = self.context.object(instance).is_named();
        let blocks = if is_named { highest.unwrap_or(0).div_ceil(4) } else { 0 };
        state.objects[usize::from(instance)].word(blocks)
    }

    fn lose_member(&self, state: &mut State, instance: InstanceId) {
        if instance == NO_INSTANCE {
            return;
        }
        let (next, completed) = state.objects[usize::from(instance)].leave();
        state.objects[usize::from(instance)] = next;
        if completed {
            self.complete(state, instance);
        }
    }

    /// Sets the completion bit of every live member; a bit that is still set loses the completion.
    fn complete(&self, state: &mut State, instance: InstanceId) {
        let object = self.context.object(instance);
        let bit = Class::of(object).bit();
        for agent in 0..state.agents.len() {
            if !self.is_member(state, agent, instance) {
                continue;
            }
            let at = state.agents[agent];
            state.lost |= state.bits[agent] & bit != 0 && self.will_wait(agent, at, instance);
            state.bits[agent] |= bit;
        }
    }

    fn will_wait(&self, agent: usize, at: AgentState, instance: InstanceId) -> bool {
        self.context.reaches.from(agent, at.node).waits & instance_bit(instance) != 0
    }

    /// The end of a wave, and with its last wave of a workgroup.
    fn end(&self, state: &mut State, agent: usize) {
        state.agents[agent] = AgentState { ended: true, ..state.agents[agent] };
        state.agents[agent].joined = Joined::Nothing;
        state.bits[agent] = 0;
        self.lose_member(state, self.context.instances.workgroup_of(agent));
        let workgroup = self.context.program.agents[agent].workgroup;
        if self.context.in_workgroup(workgroup).all(|other| state.agents[other].ended) {
            self.lose_member(state, self.context.instances.cluster_of(agent));
        }
    }

    /// Puts a state into canonical form; returns the order of agents.
    pub fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        let keys: Vec<(AgentState, u8)> =
            state.agents.iter().copied().zip(state.bits.iter().copied()).collect();
        let order = symmetry::order(&self.context.classes, &keys);
        state.agents = order.iter().map(|&agent| keys[agent].0).collect();
        state.bits = order.iter().map(|&agent| keys[agent].1).collect();
        order
    }

    /// Writes a state to the end of `out`.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) {
        out.push(u8::from(state.lost));
        for (agent, &bits) in state.agents.iter().zip(&state.bits) {
            let joined = match agent.joined {
                Joined::Named(instance, _) => instance,
                _ => NO_INSTANCE,
            };
            out.extend(agent.node.to_le_bytes());
            out.extend(joined.to_le_bytes());
            out.push(bits << 1 | u8::from(agent.ended));
        }
        state.objects.iter().for_each(|object| out.extend([object.members, object.signals]));
    }

    /// Reads a state of this program that [`Machine::pack`] wrote.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let agents = self.context.program.agents.len();
        let (head, objects) = bytes.split_at(1 + 7 * agents);
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let agent = |index: usize| {
            let at = 1 + 7 * index;
            let joined = u16::from_le_bytes([head[at + 4], head[at + 5]]);
            let joined =
                if joined == NO_INSTANCE { Joined::Nothing } else { Joined::Named(joined, true) };
            AgentState { node: word(at), joined, ended: head[at + 6] & 1 != 0 }
        };
        State {
            agents: (0..agents).map(agent).collect(),
            bits: (0..agents).map(|index| head[1 + 7 * index + 6] >> 1).collect(),
            objects: objects
                .as_chunks::<2>()
                .0
                .iter()
                .map(|&[members, signals]| Counters { members, signals })
                .collect(),
            lost: head[0] != 0,
        }
    }
}

mod ample;
mod machine;
mod one_run;
/// Whether a compiler sets SCC before it reads which wave was first. It does so unless the scenario is machine code.
const fn is_preset(operation: Operation) -> bool {
    !matches!(operation.form, Form::Machine(_))
}

#[cfg(test)]
mod tests;
