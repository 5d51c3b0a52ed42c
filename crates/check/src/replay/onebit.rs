//! Replaying on the one-bit machine.

use super::Steps;
use crate::scene::Scene;
use crate::space::Step;
use alloc::string::String;
use tidegate_model::instance::InstanceId;
use tidegate_model::onebit::{Machine, State};

/// An execution so far.
pub(crate) type Replay = super::Replay<Machine>;
/// One performed step.
pub(crate) type Done = super::Done<Note>;

/// The note of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    /// The instance that it acted on, if any.
    pub instance: Option<InstanceId>,
    /// Whether it completed it.
    pub completes: bool,
}

impl Steps for Machine {
    type Note = Note;

    fn note(&self, before: &State, step: Step, _after: &State) -> Note {
        let acts = self.acts_on(before, step.agent);
        Note {
            instance: acts.map(|(instance, _)| instance),
            completes: acts.is_some_and(|(_, completes)| completes),
        }
    }

    fn object_name(&self, scene: &Scene, object: usize) -> String {
        scene.instance_name(object as InstanceId)
    }
}
