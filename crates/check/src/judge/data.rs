//! Findings of a judgement that depend on data.

use super::{Broken, Judgement};
use crate::space::Step;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::machine::Machine;
use tidegate_model::operation::Operation;
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;
use tidegate_model::verdict::Verdict;

/// What a program certainly does before data choose the path of an agent, if only that is doubtful.
pub(crate) fn before_choices(context: &Context) -> Option<Rc<Context>> {
    let program = &context.program;
    let is_certain = program.doubtful && program.doubts_choices;
    is_certain.then(|| Rc::new(Context::new(Rc::new(program.before_choices()))))
}

/// The operation that an agent performs next.
fn operation_of<'a, M: Machine>(
    machine: &'a M,
    state: &M::State,
    agent: usize,
) -> Option<&'a Operation> {
    let program = &machine.context().program;
    let node = machine.node_of(state, agent) as usize;
    let node = (agent < program.agents.len()).then(|| program.body_of(agent).nodes.get(node));
    match node.flatten()? {
        Node::Operation { operation, .. } => Some(operation),
        _ => None,
    }
}

/// Whether data decide that a path happens: an agent performs an operation, or is at one, after data decided its control flow.
fn data_decide<M: Machine>(machine: &M, path: &[Step]) -> bool {
    let agents = machine.context().program.agents.len();
    let decided = |state: &M::State, agent: usize| {
        operation_of(machine, state, agent).is_some_and(|operation| operation.decided)
    };
    let mut state = machine.initial();
    for step in path {
        if decided(&state, step.agent) {
            return true;
        }
        state = machine.perform(&state, step.agent, step.way);
    }
    (0..agents).any(|agent| !machine.has_ended(&state, agent) && decided(&state, agent))
}

/// Whether a path ends at one of these operations: its last step performs one, or an agent waits at one for ever.
fn ends_at<M: Machine>(machine: &M, broken: &Broken, is_one: &impl Fn(&Operation) -> bool) -> bool {
    let is_at = |state: &M::State, agent| operation_of(machine, state, agent).is_some_and(is_one);
    let (mut state, mut last) = (machine.initial(), false);
    for step in &broken.path {
        last = is_at(&state, step.agent);
        state = machine.perform(&state, step.agent, step.way);
    }
    if broken.rule.get().class != Some(Class::Deadlock) {
        return last;
    }
    (0..machine.context().program.agents.len()).any(|agent| is_at(&state, agent))
}

impl Judgement {
    /// Takes the races of the beginning of a program as certain.
    pub(crate) fn take_races(&mut self, mut beginning: Self) {
        beginning.broken.retain(|one| one.rule == RuleId::MemRace && !one.possible);
        if !beginning.broken.is_empty() {
            (beginning.verdict, beginning.verdict_somewhere) = (Verdict::Race, Verdict::Race);
            self.settle(beginning);
        }
    }

    /// Takes as possible only what happens after data decide the control flow of an agent.
    pub(crate) fn leave_to_data<M: Machine>(&mut self, machine: &M) {
        let possible = self.broken.iter().filter(|broken| data_decide(machine, &broken.path));
        let possible: Vec<RuleId> = possible.map(|broken| broken.rule).collect();
        possible.into_iter().for_each(|rule| self.make_possible(rule));
    }

    /// Makes findings at these operations possible, not certain.
    pub(crate) fn leave_at<M: Machine>(
        &mut self,
        machine: &M,
        is_one: impl Fn(&Operation) -> bool,
    ) {
        let possible = self.broken.iter().filter(|broken| ends_at(machine, broken, &is_one));
        let possible: Vec<RuleId> = possible.map(|broken| broken.rule).collect();
        possible.into_iter().for_each(|rule| self.make_possible(rule));
    }
}
