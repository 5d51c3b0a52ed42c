//! One execution: the barrier operations that each agent performed, and for each object its *barrier-modification-order*.

use super::relation::{Events, MAX_EVENTS, Relation};
use crate::barrier::{Effect, Modification};
use crate::frozen::Joined;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object};
use crate::program::Node;
use crate::reading::ReadingId;
use crate::spec::Spec;
use crate::spec::state::State;
use crate::spec::step::WaitsOn;
use alloc::vec::Vec;

/// What a barrier operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// *init* with its expected count.
    Init(i64),
    /// *arrive*, perhaps with a new expected count.
    Arrive(Option<i64>),
    /// *drop*.
    Drop,
    /// *wait*.
    Wait,
    /// *join*.
    Join,
}

/// A performed barrier operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The agent.
    pub agent: usize,
    /// What it is.
    pub kind: Kind,
    /// The object that it acts on; [`NO_INSTANCE`] for the NULL barrier.
    pub instance: InstanceId,
}

/// A completed phase: the operations that take part in it, in *barrier-modification-order*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The object.
    pub instance: InstanceId,
    /// Its number among the completed phases of the object, from 0.
    pub number: usize,
    /// Drops before the first arrive, in order.
    pub leading: Vec<usize>,
    /// The first arrive and everything after it, as a set.
    pub rest: Events,
}

impl Phase {
    /// Everything that can take part.
    #[must_use]
    pub fn all(&self) -> Events {
        self.leading.iter().fold(self.rest, |set, &event| set | 1 << event)
    }
}

/// What was performed, in an order that extends every *barrier-modification-order* and *program-order*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// The operations in that order.
    pub events: Vec<Event>,
}

impl Execution {
    /// Adds the barrier operations of the next step of an agent; `false` when there is no room.
    pub fn record(&mut self, spec: &Spec, state: &State, agent: usize) -> bool {
        let steps = events_of(spec, state, agent);
        self.events.extend(steps.into_iter().map(|(kind, instance)| Event {
            agent,
            kind,
            instance,
        }));
        self.events.len() <= MAX_EVENTS
    }

    /// *Program-order* on the barrier operations.
    #[must_use]
    pub fn program_order(&self) -> Relation {
        let mut order = Relation::empty(self.events.len());
        for (to, event) in self.events.iter().enumerate() {
            let before = self.events[..to]
                .iter()
                .enumerate()
                .filter(|(_, other)| other.agent == event.agent);
            before.for_each(|(from, _)| order.add(from, to));
        }
        order
    }

    /// The modifications of an object, in *barrier-modification-order*.
    pub fn modifications(&self, instance: InstanceId) -> impl Iterator<Item = usize> {
        let events = self.events.iter().enumerate();
        let modifies = move |event: &Event| {
            event.instance == instance && !matches!(event.kind, Kind::Wait | Kind::Join)
        };
        events.filter(move |(_, event)| modifies(event)).map(|(index, _)| index)
    }

    /// The completed phases of every object, found by counting through its modifications.
    #[must_use]
    pub fn phases(&self, spec: &Spec) -> Vec<Phase> {
        let launched = spec.initial();
        let count = launched.objects.len() as InstanceId;
        (0..count)
            .flat_map(|instance| {
                self.phases_of(spec, instance, launched.objects[usize::from(instance)].barrier)
            })
            .collect()
    }

    fn phases_of(
        &self,
        spec: &Spec,
        instance: InstanceId,
        mut barrier: crate::barrier::Barrier,
    ) -> Vec<Phase> {
        let mut phases = Vec::new();
        let (mut leading, mut rest) = (Vec::new(), 0);
        for event in self.modifications(instance) {
            let modification = match self.events[event].kind {
                Kind::Init(expected) => Modification::Init(expected),
                Kind::Arrive(expected) => Modification::Arrive(expected),
                _ => Modification::Drop,
            };
            let before = barrier.arrived;
            let Ok((next, effect)) = barrier.apply(modification, spec.readings) else {
                return phases;
            };
            barrier = next;
            match effect {
                Effect::Outside => continue,
                Effect::Abandons => {
                    (leading, rest) = (Vec::new(), 0);
                    continue;
                }
                Effect::Joins | Effect::Completes
                    if before == 0 && modification == Modification::Drop =>
                {
                    leading.push(event)
                }
                Effect::Joins | Effect::Completes => rest |= 1 << event,
            }
            if effect == Effect::Completes {
                let number = phases.len();
                phases.push(Phase {
                    instance,
                    number,
                    leading: core::mem::take(&mut leading),
                    rest,
                });
                rest = 0;
            }
        }
        phases
    }

    /// *Barrier-joined-before*: the join that is before the operation of that index, if there is one.
    #[must_use]
    pub fn joined_before(&self, event: usize) -> Option<usize> {
        let Event { agent, instance, .. } = self.events[event];
        let mine = |&index: &usize| self.events[index].agent == agent;
        for before in (0..event).rev().filter(mine) {
            let other = self.events[before];
            match other.kind {
                Kind::Join => return (other.instance == instance).then_some(before),
                Kind::Drop if other.instance == instance => return None,
                _ => {}
            }
        }
        None
    }
}

/// The barrier operations of the next step of an agent. The end of a wave can be two.
fn events_of(spec: &Spec, state: &State, agent: usize) -> Vec<(Kind, InstanceId)> {
    let Some(node) = spec.node(state, agent) else { return Vec::new() };
    let one = |kind, instance: InstanceId| {
        if instance == NO_INSTANCE { Vec::new() } else { alloc::vec![(kind, instance)] }
    };
    let Node::Operation { operation, .. } = node else {
        return if *node == Node::End { ends(spec, state, agent) } else { Vec::new() };
    };
    let instance = spec.context.instances.at(agent, state.agents[agent].node);
    match operation.action {
        Action::Init { expected, .. } => one(Kind::Init(expected), instance),
        Action::Arrive { expected, .. } => one(Kind::Arrive(expected), instance),
        Action::Drop { .. } => one(Kind::Drop, instance),
        Action::Leave => match state.agents[agent].joined {
            Joined::Named(joined, true) => one(Kind::Drop, joined),
            _ => Vec::new(),
        },
        Action::Wait { object } => match spec.waits_on(state, agent, object) {
            WaitsOn::Instance(instance) => one(Kind::Wait, instance),
            WaitsOn::Null => Vec::new(),
        },
        Action::Join { object: Object::Null } => alloc::vec![(Kind::Join, NO_INSTANCE)],
        Action::Join { .. } => one(Kind::Join, instance),
        Action::ReadState { .. } | Action::Memory(_) | Action::Caches => Vec::new(),
    }
}

fn ends(spec: &Spec, state: &State, agent: usize) -> Vec<(Kind, InstanceId)> {
    let instances = &spec.context.instances;
    let (workgroup, cluster) = (instances.workgroup_of(agent), instances.cluster_of(agent));
    let group = spec.context.program.agents[agent].workgroup;
    let last =
        spec.context.in_workgroup(group).all(|other| other == agent || state.agents[other].ended);
    let mut drops = Vec::new();
    if workgroup != NO_INSTANCE && spec.readings.is_default(ReadingId::AmdA3) {
        drops.push((Kind::Drop, workgroup));
    }
    if cluster != NO_INSTANCE && (last || !spec.readings.is_default(ReadingId::AmdA4)) {
        drops.push((Kind::Drop, cluster));
    }
    drops
}
