//! One execution of a program of OpenCL, step by step, with what each step did.

use crate::finding;
use crate::judge::Step;
use crate::report::WitnessStep;
use crate::scene::Scene;
use alloc::vec::Vec;
use tidegate_model::opencl::machine::state::{Standing, State};
use tidegate_model::opencl::machine::{Machine, bit, reported};
use tidegate_model::rule::RuleId;

/// A performed step.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The work-item and its way.
    pub step: Step,
    /// Where it stood.
    pub node: u32,
    /// How many steps it had performed before.
    pub ordinal: u32,
    /// The work-items that it released, itself among them.
    pub released: Vec<usize>,
    /// Rules that are broken since.
    pub broke: Vec<RuleId>,
}

/// An execution so far.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    /// The machine.
    pub machine: Machine,
    /// The state after each number of steps: one more than there are steps.
    pub states: Vec<State>,
    /// The steps.
    pub done: Vec<Done>,
}

impl Replay {
    /// Starts at launch.
    pub(crate) fn new(machine: Machine) -> Self {
        let states = alloc::vec![machine.initial()];
        Self { machine, states, done: Vec::new() }
    }

    /// The state now.
    pub(crate) fn state(&self) -> &State {
        &self.states[self.done.len()]
    }

    /// Performs a step if it can be performed.
    pub(crate) fn perform(&mut self, step: Step) -> bool {
        let before = self.state();
        if step.agent >= before.agents.len() || step.way >= self.machine.ways(before, step.agent) {
            return false;
        }
        let after = self.machine.perform(before, step.agent, step.way);
        let waited = |agent: &usize| {
            let waits = before.agents[*agent].standing == Standing::Waiting || *agent == step.agent;
            waits && after.agents[*agent].standing == Standing::Going
        };
        let gathers =
            self.machine.action(before, step.agent).is_some_and(|action| action.gathers());
        let released =
            if gathers { (0..before.agents.len()).filter(waited).collect() } else { Vec::new() };
        let new = after.broken & !before.broken;
        let done = Done {
            step,
            node: before.agents[step.agent].node,
            ordinal: self.ordinal(step.agent),
            released,
            broke: reported().filter(|rule| new & bit(*rule) != 0).collect(),
        };
        self.states.truncate(self.done.len() + 1);
        self.states.push(after);
        self.done.push(done);
        true
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) -> Option<Done> {
        let done = self.done.pop()?;
        self.states.truncate(self.done.len() + 1);
        Some(done)
    }

    /// How many steps an agent has performed.
    pub(crate) fn ordinal(&self, agent: usize) -> u32 {
        self.done.iter().filter(|done| done.step.agent == agent).count() as u32
    }

    /// A step as reported.
    pub(crate) fn witness(&self, scene: &Scene, done: &Done) -> WitnessStep {
        let program = &self.machine.context.program;
        finding::witness_step(scene, program, done.step, done.node, done.ordinal)
    }
}
