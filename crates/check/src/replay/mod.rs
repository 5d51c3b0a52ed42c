//! Replays one execution, step by step, on the machine that checks the scenario, and records the effects of each step.

pub(crate) mod amdgpu;
pub(crate) mod onebit;

use crate::judge::{Broken, Judgement};
use crate::scene::Scene;
use crate::space::Step;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use tidegate_model::machine::Machine;
use tidegate_model::program::{Node, Program};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;

/// The recorded effects of the steps of a machine.
pub(crate) trait Steps: Machine {
    /// The additional note of a step of one machine.
    type Note: Clone + Debug;

    /// A performed step.
    fn note(&self, before: &Self::State, step: Step, after: &Self::State) -> Self::Note;
    /// The agent of a step, for its place and text.
    fn agent_of(&self, done: &Done<Self::Note>) -> usize {
        done.step.agent
    }
    /// Describes the step of a copy in flight.
    fn flying(&self, _scene: &Scene, _done: &Done<Self::Note>) -> Option<String> {
        None
    }
    /// The name of an object of [`tidegate_model::one_run`], by its number there.
    fn object_name(&self, scene: &Scene, object: usize) -> String;
    /// The number of the first phase of such an object.
    fn first_phase(&self, _object: usize) -> u32 {
        1
    }
}

/// The words of a machine for its operations.
pub(crate) trait Kinds: Steps {
    /// The kind of an operation, as in [`crate::step::Performed::kind`].
    fn kind(&self, node: &Node) -> &'static str;
    /// The word for an operation that is not on a barrier and orders accesses; `None` for other operations.
    fn orders_memory(&self, _node: &Node) -> Option<&'static str> {
        None
    }
}

/// The program that a machine executes.
pub(crate) fn program<M: Machine>(machine: &M) -> &Program {
    &machine.context().program
}

/// One performed step.
#[derive(Clone, Debug)]
pub(crate) struct Done<N> {
    /// The step.
    pub step: Step,
    /// The node of the actor, or the node that started it.
    pub node: u32,
    /// Number of earlier steps of the agent.
    pub ordinal: u32,
    /// Rules that are broken since this step.
    pub broke: Vec<RuleId>,
    /// The additional note.
    pub note: N,
}

/// An execution so far.
#[derive(Clone, Debug)]
pub(crate) struct Replay<M: Steps> {
    /// The machine.
    pub machine: M,
    /// The state after each number of steps: one more than there are steps.
    pub states: Vec<M::State>,
    /// The steps.
    pub done: Vec<Done<M::Note>>,
    /// By agent, how many of them are its own.
    counts: Vec<u32>,
}

impl<M: Steps> Replay<M> {
    /// Starts at launch.
    #[must_use]
    pub(crate) fn new(machine: M) -> Self {
        let states = alloc::vec![machine.initial()];
        let counts = alloc::vec![0; program(&machine).agents.len()];
        Self { machine, states, done: Vec::new(), counts }
    }

    /// The state now.
    #[must_use]
    pub(crate) fn state(&self) -> &M::State {
        &self.states[self.done.len()]
    }

    /// The state before the last step; none at launch.
    #[must_use]
    pub(crate) fn before(&self) -> Option<&M::State> {
        self.done.len().checked_sub(1).map(|step| &self.states[step])
    }

    /// Performs steps as long as they are possible; returns their number.
    pub(crate) fn perform_all(&mut self, steps: &[Step]) -> usize {
        steps.iter().take_while(|step| self.perform(**step)).count()
    }

    /// Performs a step if it can be performed.
    pub(crate) fn perform(&mut self, step: Step) -> bool {
        let before = self.state();
        if !can_perform(&self.machine, before, step) {
            return false;
        }
        let after = self.machine.perform(before, step.agent, step.way);
        let done = Done {
            step,
            node: self.machine.node_of(before, step.agent),
            ordinal: self.ordinal(step.agent),
            broke: broke(&self.machine, before, &after),
            note: self.machine.note(before, step, &after),
        };
        self.states.push(after);
        if let Some(count) = self.counts.get_mut(step.agent) {
            *count += 1;
        }
        self.done.push(done);
        true
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) -> Option<Step> {
        let done = self.done.pop()?;
        self.states.truncate(self.done.len() + 1);
        if let Some(count) = self.counts.get_mut(done.step.agent) {
            *count -= 1;
        }
        Some(done.step)
    }

    /// Number of steps that an agent has performed; 0 for other actors.
    #[must_use]
    pub(crate) fn ordinal(&self, agent: usize) -> u32 {
        self.counts.get(agent).copied().unwrap_or(0)
    }

    /// The stable key of a performed step.
    #[must_use]
    pub(crate) fn key(&self, done: &Done<M::Note>) -> String {
        key(program(&self.machine), done.step, done.node, done.ordinal)
    }

    /// The stable key of a step that an actor could perform now.
    #[must_use]
    pub(crate) fn next_key(&self, step: Step) -> String {
        let node = self.machine.node_of(self.state(), step.agent);
        key(program(&self.machine), step, node, self.ordinal(step.agent))
    }
}

/// The rules that a step broke.
fn broke<M: Machine>(machine: &M, before: &M::State, after: &M::State) -> Vec<RuleId> {
    let new = machine.broken(after) & !machine.broken(before);
    let is_new = |rule: &RuleId| new >> rule.number() & 1 != 0;
    if new == 0 { Vec::new() } else { machine.rules().into_iter().filter(is_new).collect() }
}

/// The state after some steps; `None` if one of them cannot be performed. Unlike a replay, it records nothing.
pub(crate) fn state_after<M: Machine>(machine: &M, steps: &[Step]) -> Option<M::State> {
    let mut state = machine.initial();
    for step in steps {
        if !can_perform(machine, &state, *step) {
            return None;
        }
        machine.advance(&mut state, step.agent, step.way);
    }
    Some(state)
}

fn can_perform<M: Machine>(machine: &M, state: &M::State, step: Step) -> bool {
    step.agent < machine.actors(state) && step.way < machine.ways(state, step.agent)
}

/// The stable key of a step: workgroup, wave, number of earlier steps of the agent, and the alternative if there are
/// several; for a copy, its index among those in flight.
#[must_use]
pub(crate) fn key(program: &Program, step: Step, node: u32, ordinal: u32) -> String {
    let Some(agent) = program.agents.get(step.agent) else {
        let copy = step.agent - program.agents.len();
        return if step.way > 0 {
            format!("copy.{copy}/{}", step.way)
        } else {
            format!("copy.{copy}")
        };
    };
    let chooses = matches!(program.body_of(step.agent).nodes[node as usize], Node::Choose { .. });
    let way = if chooses || step.way > 0 { format!("/{}", step.way) } else { String::new() };
    format!("{}.{}:{ordinal}{way}", agent.workgroup, agent.wave)
}

/// The meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A step of an agent, by workgroup and wave, and how many steps it performed before.
    Agent { workgroup: u32, wave: u32, ordinal: u32, way: usize },
    /// A step of something in flight.
    Copy { place: usize, way: usize },
}

/// The inverse of [`key`]; `None` if the text is not a key.
#[must_use]
pub(crate) fn parse(key: &str) -> Option<Named> {
    let (head, way) = match key.split_once('/') {
        Some((head, way)) => (head, way.parse().ok()?),
        None => (key, 0),
    };
    if let Some(place) = head.strip_prefix("copy.") {
        return Some(Named::Copy { place: place.parse().ok()?, way });
    }
    let (agent, ordinal) = head.split_once(':')?;
    let (workgroup, wave) = agent.split_once('.')?;
    let ordinal = ordinal.parse().ok()?;
    Some(Named::Agent {
        workgroup: workgroup.parse().ok()?,
        wave: wave.parse().ok()?,
        ordinal,
        way,
    })
}

/// Largest number of steps of an execution for display.
const MOST_STEPS: usize = 100_000;

/// The execution of the first deadlock, or else of the first undefined behaviour, because nothing is defined after it.
/// Otherwise one execution.
pub(crate) fn at_end<M: Steps>(machine: M, judgement: &Judgement) -> Replay<M> {
    let of = |class: Class| {
        let is_of = move |broken: &&Broken| broken.rule.get().class == Some(class);
        judgement.broken.iter().find(is_of)
    };
    let mut replay = Replay::new(machine);
    match of(Class::Deadlock).or_else(|| of(Class::Ub)) {
        Some(ends) => _ = replay.perform_all(&ends.path),
        None => run(&mut replay),
    }
    replay
}

/// Performs whatever can be performed first, to the end.
fn run<M: Steps>(replay: &mut Replay<M>) {
    for _ in 0..MOST_STEPS {
        let (machine, state) = (&replay.machine, replay.state());
        let ready = (0..machine.actors(state)).find(|&actor| machine.ways(state, actor) > 0);
        let Some(agent) = ready else { return };
        replay.perform(Step { agent, way: 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_back() {
        let agent = |way| Named::Agent { workgroup: 0, wave: 1, ordinal: 3, way };
        assert_eq!(parse("0.1:3"), Some(agent(0)));
        assert_eq!(parse("0.1:3/2"), Some(agent(2)));
        assert_eq!(parse("copy.4"), Some(Named::Copy { place: 4, way: 0 }));
        assert_eq!(parse("copy.4/1"), Some(Named::Copy { place: 4, way: 1 }));
        for bad in ["", "0.1", "0:1", "0.1:x", "0.1:3/", "copy.", "copy.-1", "0.1:99999999999"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
