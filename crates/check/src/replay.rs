//! Replaying steps on the program's own agents, with everything that is worth telling about each step.

use crate::judge::Step;
use alloc::vec::Vec;
use tidegate_model::instance::{InstanceId, NO_INSTANCE};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::choice::indices;
use tidegate_model::spec::state::State;
use tidegate_model::spec::step::WaitsOn;

/// One performed step.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The step.
    pub step: Step,
    /// The node that the agent stood at.
    pub node: u32,
    /// How many steps the agent had performed before.
    pub ordinal: u32,
    /// The instance that it acted on, if any.
    pub instance: Option<InstanceId>,
    /// Phases of that instance, from 0: of a modification the one that it belongs to, of a wait those that it may depend
    /// on.
    pub phases: Vec<u32>,
    /// Whether it completed that phase.
    pub completes: bool,
    /// Rules that are broken under every choice since this step.
    pub broke: Vec<RuleId>,
}

/// An execution so far.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    /// The machine.
    pub spec: Spec,
    /// The state after each number of steps: one more than there are steps.
    pub states: Vec<State>,
    /// The steps.
    pub done: Vec<Done>,
    /// By agent, how many of them are its own.
    counts: Vec<u32>,
}

impl Replay {
    /// Starts at launch.
    #[must_use]
    pub(crate) fn new(spec: Spec) -> Self {
        let states = alloc::vec![spec.initial()];
        let counts = alloc::vec![0; spec.context.program.agents.len()];
        Self { spec, states, done: Vec::new(), counts }
    }

    /// The state now.
    #[must_use]
    pub(crate) fn state(&self) -> &State {
        &self.states[self.done.len()]
    }

    /// Performs steps as long as they can be performed; yields how many.
    pub(crate) fn perform_all(&mut self, steps: &[Step]) -> usize {
        steps.iter().take_while(|step| self.perform(**step)).count()
    }

    /// Performs a step if it can be performed.
    pub(crate) fn perform(&mut self, step: Step) -> bool {
        let before = self.state();
        if step.agent >= before.agents.len() || step.way >= self.spec.ways(before, step.agent) {
            return false;
        }
        let after = self.spec.perform(before, step.agent, step.way);
        let done = self.describe(step, before, &after);
        self.states.truncate(self.done.len() + 1);
        self.states.push(after);
        self.counts[step.agent] += 1;
        self.done.push(done);
        true
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) -> Option<Done> {
        let done = self.done.pop()?;
        self.counts[done.step.agent] -= 1;
        self.states.truncate(self.done.len() + 1);
        Some(done)
    }

    /// How many steps an agent has performed.
    #[must_use]
    pub(crate) fn ordinal(&self, agent: usize) -> u32 {
        self.counts.get(agent).copied().unwrap_or(0)
    }

    fn describe(&self, step: Step, before: &State, after: &State) -> Done {
        let node = before.agents[step.agent].node;
        let instance = self.acts_on(step.agent, before);
        let completes = instance.is_some_and(|id| {
            let index = usize::from(id);
            after.objects[index].completed > before.objects[index].completed
        });
        let phases =
            instance.map_or_else(Vec::new, |id| self.phases(step.agent, before, after, id));
        let new = Spec::broken(after) & !Spec::broken(before);
        let broke = RuleId::of_amdgpu().filter(|rule| new & 1 << rule.number() != 0).collect();
        Done { step, node, ordinal: self.ordinal(step.agent), instance, phases, completes, broke }
    }

    /// The instance that the next step of an agent acts on.
    #[must_use]
    pub(crate) fn acts_on(&self, agent: usize, state: &State) -> Option<InstanceId> {
        let known = |instance: InstanceId| (instance != NO_INSTANCE).then_some(instance);
        match self.spec.node(state, agent)? {
            Node::End => known(self.spec.context.instances.workgroup_of(agent)),
            Node::Choose { .. } | Node::Divergent => None,
            Node::Operation { operation, .. } => match operation.action {
                Action::Wait { object } => match self.spec.waits_on(state, agent, object) {
                    WaitsOn::Instance(instance) => known(instance),
                    WaitsOn::Null => None,
                },
                Action::Leave => match state.agents[agent].joined {
                    tidegate_model::frozen::Joined::Named(instance, true) => Some(instance),
                    _ => None,
                },
                _ => known(self.spec.context.instances.at(agent, state.agents[agent].node)),
            },
        }
    }

    fn phases(
        &self,
        agent: usize,
        before: &State,
        after: &State,
        instance: InstanceId,
    ) -> Vec<u32> {
        let object = &before.objects[usize::from(instance)];
        let Some(node) = self.spec.node(before, agent) else { return Vec::new() };
        match node {
            Node::Operation { operation, .. } => match operation.action {
                Action::Wait { .. } => {
                    let slots = Spec::candidates(before, agent, instance);
                    indices(slots).map(|slot| before.slots[slot].serial).collect()
                }
                Action::Arrive { .. } | Action::Drop { .. } | Action::Leave
                    if after.stop.is_none() =>
                {
                    alloc::vec![object.completed]
                }
                _ => Vec::new(),
            },
            Node::End if object.barrier.initialised => alloc::vec![object.completed],
            _ => Vec::new(),
        }
    }
}
