//! One execution of an OpenCL program, step by step, with the effects of each step.

use super::object::{Object, action_at, name, object_of};
use crate::replay::Steps;
use crate::scene::Scene;
use crate::space::Step;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::machine::one_run::Located;
use tidegate_model::opencl::machine::state::{Split, Standing, State};

/// An execution so far.
pub(crate) type Replay = crate::replay::Replay<Machine>;
/// A performed step.
pub(crate) type Done = crate::replay::Done<Note>;

/// The note of a step.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The work-items that it released, itself among them.
    pub released: Vec<usize>,
    /// Whether it completed a phase; no agent continues on a phase of a split barrier at once.
    pub completes: bool,
}

impl Steps for Machine {
    type Note = Note;

    fn note(&self, before: &State, step: Step, after: &State) -> Note {
        // An agent that breaks a rule at a barrier does not arrive.
        let came = |agent: usize| {
            let moved = after.agents[agent].node != before.agents[agent].node;
            agent == step.agent && (moved || !after.stopped)
        };
        let waited = |agent: &usize| {
            let waits = before.agents[*agent].standing == Standing::Waiting || came(*agent);
            waits && after.agents[*agent].standing == Standing::Going
        };
        let gathers = self.action(before, step.agent).is_some_and(|action| action.gathers());
        let agents = if gathers { 0..before.agents.len() } else { 0..0 };
        let released: Vec<usize> = agents.filter(waited).collect();
        let split = |state: &State| state.agents[step.agent].split == Split::Complete;
        let completes = !released.is_empty() || !split(before) && split(after);
        Note { released, completes }
    }

    fn object_name(&self, scene: &Scene, object: usize) -> String {
        let object = match self.located(object) {
            Located::Group(group) => Object::WorkGroup(group),
            Located::Split(group) => Object::Split(group),
            Located::Named(group, declared) => Object::Named(group, declared),
            Located::SubGroup(sub_group) => Object::SubGroup(sub_group),
        };
        name(scene, self, object)
    }
}

/// Number of completed phases of a barrier.
pub(super) fn completed(replay: &Replay, object: Object) -> u32 {
    let released = replay.done.iter().filter(|done| {
        let action = action_at(&replay.machine, done.step.agent, done.node);
        done.note.completes
            && action
                .is_some_and(|action| object_of(&replay.machine, done.step.agent, action) == object)
    });
    released.count() as u32
}
