//! Replaying on the machine of the AMDGPU text.

use super::Steps;
use crate::judge::Broken;
use crate::scene::Scene;
use crate::space::Step;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::instance::{InstanceId, NO_INSTANCE};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::spec::Spec;
use tidegate_model::spec::choice::indices;
use tidegate_model::spec::state::State;
use tidegate_model::spec::step::WaitsOn;

/// An execution so far.
pub(crate) type Replay = super::Replay<Spec>;
/// One performed step.
pub(crate) type Done = super::Done<Note>;

/// The note of a step.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The instance that it acted on, if any.
    pub instance: Option<InstanceId>,
    /// Phases of that instance, from 0: for a modification its own phase, for a wait the phases that it may depend on.
    pub phases: Vec<u32>,
    /// Whether it completed that phase.
    pub completes: bool,
}

impl Replay {
    /// The operation of a step; none for a choice and for the end of an agent.
    #[must_use]
    pub(crate) fn action(&self, done: &Done) -> Option<Action> {
        match self.performed(done) {
            Node::Operation { operation, .. } => Some(operation.action),
            _ => None,
        }
    }

    /// Whether a step is the end of its agent.
    #[must_use]
    pub(crate) fn is_end(&self, done: &Done) -> bool {
        matches!(self.performed(done), Node::End)
    }

    fn performed(&self, done: &Done) -> &Node {
        &self.machine.context.program.body_of(done.step.agent).nodes[done.node as usize]
    }
}

impl Steps for Spec {
    type Note = Note;

    fn note(&self, before: &State, step: Step, after: &State) -> Note {
        let instance = acts_on(self, before, step.agent);
        let completed = |state: &State, id: InstanceId| state.objects[usize::from(id)].completed;
        let completes = instance.is_some_and(|id| completed(after, id) > completed(before, id));
        let phases =
            instance.map_or_else(Vec::new, |id| phases(self, before, step.agent, after, id));
        Note { instance, phases, completes }
    }

    fn object_name(&self, scene: &Scene, object: usize) -> String {
        scene.instance_name(object as InstanceId)
    }
}

/// The instance that the next step of an agent acts on.
#[must_use]
pub(crate) fn acts_on(spec: &Spec, state: &State, agent: usize) -> Option<InstanceId> {
    let known = |instance: InstanceId| (instance != NO_INSTANCE).then_some(instance);
    match spec.node(state, agent)? {
        Node::End => known(spec.context.instances.workgroup_of(agent)),
        Node::Choose { .. } | Node::Divergent => None,
        Node::Operation { operation, .. } => match operation.action {
            Action::Wait { object } => match spec.waits_on(state, agent, object) {
                WaitsOn::Instance(instance) => known(instance),
                WaitsOn::Null => None,
            },
            Action::Leave => match state.agents[agent].joined {
                tidegate_model::agent::Joined::Named(instance, true) => Some(instance),
                _ => None,
            },
            _ => known(spec.context.instances.at(agent, state.agents[agent].node)),
        },
    }
}

/// The phases of an instance that a step belongs to or may depend on.
fn phases(
    spec: &Spec,
    before: &State,
    agent: usize,
    after: &State,
    instance: InstanceId,
) -> Vec<u32> {
    let object = &before.objects[usize::from(instance)];
    let Some(node) = spec.node(before, agent) else { return Vec::new() };
    match node {
        Node::Operation { operation, .. } => match operation.action {
            Action::Wait { .. } => {
                let slots = Spec::candidates(before, agent, instance);
                indices(slots).map(|slot| before.slots[slot].serial).collect()
            }
            Action::Arrive { .. } | Action::Drop { .. } | Action::Leave if after.stop.is_none() => {
                alloc::vec![object.completed]
            }
            _ => Vec::new(),
        },
        Node::End if object.barrier.initialised => alloc::vec![object.completed],
        _ => Vec::new(),
    }
}

/// The witness of a broken rule, performed up to the step that breaks it.
pub(crate) fn replayed(spec: &Spec, broken: &Broken) -> Replay {
    let mut replay = Replay::new(spec.clone());
    for &step in &broken.path {
        // Steps after the one that breaks the rule are not part of it.
        let known = replay.done.last().is_some_and(|done| done.broke.contains(&broken.rule));
        if known || !replay.perform(step) {
            break;
        }
    }
    replay
}
