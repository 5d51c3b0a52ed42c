//! Replaying on the one-bit machine.

use super::Steps;
use crate::judge::Step;
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::onebit::{Machine, State};
use tidegate_model::program::Program;
use tidegate_model::rule::RuleId;

/// An execution so far.
pub(crate) type Replay = super::Replay<Machine>;
/// One performed step.
pub(crate) type Done = super::Done<Note>;

/// What is told of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    /// The instance that it acted on, if any.
    pub instance: Option<InstanceId>,
    /// Whether it completed it.
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
        state.agents[agent].ended
    }

    fn broke(&self, before: &State, after: &State) -> Vec<RuleId> {
        let lost = after.lost && !before.lost;
        lost.then_some(RuleId::AmdMachineLostCompletion).into_iter().collect()
    }

    fn note(&self, before: &State, step: Step, _after: &State) -> Note {
        let acts = self.acts_on(before, step.agent);
        Note {
            instance: acts.map(|(instance, _)| instance),
            completes: acts.is_some_and(|(_, completes)| completes),
        }
    }
}
