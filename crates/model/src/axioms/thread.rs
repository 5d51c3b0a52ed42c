//! The next barrier operations of one agent, as far as its own past determines them.
//!
//! Source: `amdgpu-execution-synchronization`, tables "s_barrier GFX6-11" and "s_barrier GFX12", and the rules of
//! "Named Barriers" on a single thread.

use super::event::Kind;
use super::text::Text;
use crate::agent::Joined;
use crate::amd::{join, object};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object, Operation};
use crate::program::{Node, NodeId};
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// The next step of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// No barrier operation: a fence, an operation on the NULL barrier, a leave without effect.
    Nothing,
    /// One of these nodes is next.
    Choose(Vec<NodeId>),
    /// A barrier operation on an object; [`NO_INSTANCE`] for a join of the NULL barrier.
    Performs {
        /// The kind of operation.
        kind: Kind,
        /// The object.
        instance: InstanceId,
        /// Whether it tests if it is the first arrive of its phase.
        asks: bool,
    },
    /// A wait without an object that could complete it.
    Blocked,
    /// The wave ends.
    End,
    /// It breaks a rule; behaviour is undefined from here on.
    Breaks(RuleId),
}

/// The state of an agent, independent of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    /// The agent.
    pub agent: usize,
    /// Its node.
    pub node: NodeId,
    /// The object that it joined last.
    pub joined: Joined,
    /// Number of performed steps.
    pub steps: u32,
}

impl Thread {
    /// An agent at launch.
    #[must_use]
    pub fn new(agent: usize) -> Self {
        Self { agent, ..Self::default() }
    }

    /// Returns its next step.
    #[must_use]
    pub fn next(&self, text: &Text) -> Next {
        match &text.context.program.body_of(self.agent).nodes[self.node as usize] {
            Node::Choose { next } => Next::Choose(next.clone()),
            Node::Divergent => Next::Breaks(RuleId::AmdBarrierWaveUniform),
            Node::End => Next::End,
            Node::Operation { operation, .. } => self.operation(text, *operation),
        }
    }

    fn operation(&self, text: &Text, operation: Operation) -> Next {
        let instance = text.context.instances.at(self.agent, self.node);
        let performs = |kind| match instance {
            NO_INSTANCE => Next::Nothing,
            _ if !self.in_scope(text, instance) => Next::Breaks(RuleId::AmdObjectScope),
            _ => Next::Performs { kind, instance, asks: false },
        };
        match operation.action {
            Action::Init { .. } => performs(Kind::Init(operation.initial(text.readings))),
            Action::Arrive { expected, is_first, .. } => match performs(Kind::Arrive(expected)) {
                Next::Performs { kind, instance, .. } => {
                    Next::Performs { kind, instance, asks: is_first }
                }
                other => other,
            },
            Action::Wait { object } => self.wait(text, object),
            Action::Drop { object } => match performs(Kind::Drop) {
                Next::Performs { .. }
                    if object.is_named() && !join::before_drop::holds(self.joined, instance) =>
                {
                    Next::Breaks(RuleId::AmdJoinBeforeDrop)
                }
                other => other,
            },
            Action::Leave => self.leave(text),
            Action::Join { object } => join(object, instance),
            _ => Next::Nothing,
        }
    }

    /// *wait*: a named wait acts on the object joined last (readings `amd.A6`, `amd.A7`).
    fn wait(&self, text: &Text, operand: Object) -> Next {
        let instance = text.context.instances.at(self.agent, self.node);
        let null = || {
            if text.usual(ReadingId::AmdA6) {
                Next::Nothing
            } else {
                Next::Breaks(RuleId::AmdJoinBeforeWait)
            }
        };
        let instance = match self.joined {
            _ if !operand.is_named() => instance,
            Joined::Null if text.usual(ReadingId::AmdA7) => return null(),
            Joined::Named(joined, _) if text.usual(ReadingId::AmdA7) => joined,
            _ if operand == Object::Null => return null(),
            _ => instance,
        };
        if instance == NO_INSTANCE {
            return Next::Blocked;
        }
        if !self.in_scope(text, instance) {
            return Next::Breaks(RuleId::AmdObjectScope);
        }
        Next::Performs { kind: Kind::Wait, instance, asks: false }
    }

    /// `s_barrier_leave` (reading `amd.A15`).
    fn leave(&self, text: &Text) -> Next {
        match self.joined {
            Joined::Named(instance, true) => {
                Next::Performs { kind: Kind::Drop, instance, asks: false }
            }
            Joined::Null => Next::Nothing,
            _ if text.usual(ReadingId::AmdA15) => Next::Breaks(RuleId::AmdJoinBeforeDrop),
            _ => Next::Nothing,
        }
    }

    fn in_scope(&self, text: &Text, instance: InstanceId) -> bool {
        let workgroup = text.context.program.agents[self.agent].workgroup;
        let instance = text.context.instances.list[usize::from(instance)];
        object::scope::check(workgroup, instance).is_ok()
    }

    /// The drops at the end of a wave: the workgroup barrier, and the cluster barrier if it is the `last` wave of its workgroup,
    /// or always (reading `amd.A4`); literally nothing (reading `amd.A3`).
    #[must_use]
    pub fn end(&self, text: &Text, last: bool) -> Vec<InstanceId> {
        let instances = &text.context.instances;
        if !text.usual(ReadingId::AmdA3) {
            return Vec::new();
        }
        let cluster =
            (last || !text.usual(ReadingId::AmdA4)).then(|| instances.cluster_of(self.agent));
        let used = |instance: &InstanceId| *instance != NO_INSTANCE;
        let workgroup = instances.workgroup_of(self.agent);
        [workgroup].into_iter().chain(cluster).filter(used).collect()
    }

    /// The agent after its step, at `node`.
    #[must_use]
    pub fn after(mut self, text: &Text, node: NodeId) -> Self {
        match self.next(text) {
            Next::Performs { kind: Kind::Join, instance: NO_INSTANCE, .. } => {
                self.joined = Joined::Null;
            }
            Next::Performs { kind: Kind::Join, instance, .. } => {
                self.joined = Joined::Named(instance, true);
            }
            Next::Performs { kind: Kind::Drop, instance, .. } => self.dropped(instance),
            _ => {}
        }
        Self { node, steps: self.steps + 1, ..self }
    }

    fn dropped(&mut self, instance: InstanceId) {
        if let Joined::Named(joined, bound) = &mut self.joined
            && *joined == instance
        {
            *bound = false;
        }
    }
}

fn join(object: Object, instance: InstanceId) -> Next {
    match join::named_only::check(object) {
        Err(rule) => Next::Breaks(rule),
        Ok(()) => Next::Performs { kind: Kind::Join, instance, asks: false },
    }
}
