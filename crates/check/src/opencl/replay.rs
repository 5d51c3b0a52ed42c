//! One execution of a program of OpenCL, step by step, with what each step did.

use crate::judge::Step;
use crate::replay::Steps;
use alloc::vec::Vec;
use tidegate_model::opencl::machine::state::{Split, Standing, State};
use tidegate_model::opencl::machine::{Machine, bit, reported};
use tidegate_model::program::Program;
use tidegate_model::rule::RuleId;

/// An execution so far.
pub(crate) type Replay = crate::replay::Replay<Machine>;
/// A performed step.
pub(crate) type Done = crate::replay::Done<Note>;

/// What is told of a step.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The work-items that it released, itself among them.
    pub released: Vec<usize>,
    /// Whether it completed a phase: of a split barrier nobody goes on with that.
    pub completes: bool,
}

impl Steps for Machine {
    type State = State;
    type Note = Note;

    fn program(&self) -> &Program {
        &self.context.program
    }

    fn launch(&self) -> State {
        self.initial()
    }

    fn ways(&self, state: &State, actor: usize) -> usize {
        Self::ways(self, state, actor)
    }

    fn after(&self, state: &State, step: Step) -> State {
        self.perform(state, step.agent, step.way)
    }

    fn stands_at(&self, state: &State, actor: usize) -> u32 {
        state.agents[actor].node
    }

    fn has_ended(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].standing == Standing::Ended
    }

    fn broke(&self, before: &State, after: &State) -> Vec<RuleId> {
        let new = after.broken & !before.broken;
        reported().filter(|rule| new & bit(*rule) != 0).collect()
    }

    fn note(&self, before: &State, step: Step, after: &State) -> Note {
        // Who comes to a barrier and breaks a rule by that stays in front of it.
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
}
