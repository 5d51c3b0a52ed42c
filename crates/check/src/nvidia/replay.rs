//! One execution of a program of NVIDIA, step by step, with what each step did.

use crate::judge::Step;
use crate::report::WitnessStep;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::state::{Copy, State};
use tidegate_model::ptx::machine::{BARS, Machine, action_of, bit, reported};
use tidegate_model::rule::RuleId;

/// An object that a step acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    /// By index in the state.
    Mbarrier(usize),
    /// By index in the state.
    Bar(usize),
}

/// A performed step.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The agent or copy, and its way.
    pub step: Step,
    /// For a copy what it was before the step.
    pub copy: Option<Copy>,
    /// Where the agent stood, or where the copy was started.
    pub node: u32,
    /// How many steps the agent had performed before.
    pub ordinal: u32,
    /// What it acted on.
    pub object: Option<Object>,
    /// Of a mbarrier the phase that was running.
    pub phase: Option<u32>,
    /// Whether it completed a phase or a generation.
    pub completes: bool,
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
        if step.agent >= self.machine.actors(before)
            || step.way >= self.machine.ways(before, step.agent)
        {
            return false;
        }
        let after = self.machine.perform(before, step.agent, step.way);
        let done = self.describe(step, before, &after);
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
        self.done.iter().filter(|done| done.step.agent == agent && done.copy.is_none()).count()
            as u32
    }

    fn describe(&self, step: Step, before: &State, after: &State) -> Done {
        let copy = step.agent.checked_sub(before.agents.len()).map(|index| before.copies[index]);
        let node = copy.map_or_else(|| before.agents[step.agent].node, |copy| copy.node);
        let object = match copy {
            Some(copy) => Some(Object::Mbarrier(copy.object as usize)),
            None => self.acts_on(step.agent, before),
        };
        let (phase, completes) = match object {
            Some(Object::Mbarrier(index)) => {
                let phase = before.mbarriers[index].phase;
                (Some(phase), before.mbarriers[index].valid && after.mbarriers[index].phase > phase)
            }
            Some(Object::Bar(index)) => {
                let arrives = copy.is_none();
                (None, arrives && after.bars[index].arrived == 0 && !after.stopped)
            }
            None => (None, false),
        };
        let new = self.machine.broken(after, false) & !self.machine.broken(before, false);
        let broke = reported().filter(|rule| new & bit(*rule) != 0).collect();
        let ordinal = if copy.is_some() { 0 } else { self.ordinal(step.agent) };
        Done { step, copy, node, ordinal, object, phase, completes, broke }
    }

    /// What the next step of an agent acts on.
    pub(crate) fn acts_on(&self, agent: usize, state: &State) -> Option<Object> {
        self.object_of(agent, self.machine.node(state, agent).and_then(action_of)?)
    }

    /// The object that an operation of an agent names.
    pub(crate) fn object_of(&self, agent: usize, action: Action) -> Option<Object> {
        match action {
            Action::Bar { id, .. } => {
                let id = usize::try_from(id).ok().filter(|&id| id < BARS)?;
                Some(Object::Bar(self.machine.cta(agent) as usize * BARS + id))
            }
            action => Some(Object::Mbarrier(self.machine.object(agent, action.name()?)?.0)),
        }
    }

    /// The stable key of a step: of an agent as everywhere, of a copy its place among those in flight.
    pub(crate) fn key(&self, step: Step, node: u32, ordinal: u32) -> String {
        let program = &self.machine.context.program;
        match step.agent.checked_sub(program.agents.len()) {
            Some(copy) if step.way > 0 => format!("copy.{copy}/{}", step.way),
            Some(copy) => format!("copy.{copy}"),
            None => {
                let agent = program.agents[step.agent];
                let branches = step.way > 0
                    || matches!(
                        program.body_of(step.agent).nodes[node as usize],
                        Node::Choose { .. }
                    );
                let way = if branches { format!("/{}", step.way) } else { String::new() };
                format!("{}.{}:{ordinal}{way}", agent.workgroup, agent.wave)
            }
        }
    }

    /// A step as reported.
    pub(crate) fn witness(&self, scene: &Scene, done: &Done) -> WitnessStep {
        let agent = done.copy.map_or(done.step.agent, |copy| copy.agent as usize);
        let source = scene.source(agent, done.node);
        WitnessStep {
            agent: actor_name(scene, done),
            line: source.span.line,
            operation: self.label(scene, done),
            key: self.key(done.step, done.node, done.ordinal),
        }
    }

    /// What a step does, in the words of the text; a copy says what it completes.
    pub(crate) fn label(&self, scene: &Scene, done: &Done) -> String {
        match done.copy {
            Some(copy) => copy_label(self, scene, copy, done.step.way),
            None => {
                let text = scene.source(done.step.agent, done.node).text;
                if text.is_empty() { "end".into() } else { text }
            }
        }
    }
}

/// Who performs a step.
pub(crate) fn actor_name(scene: &Scene, done: &Done) -> String {
    match done.copy {
        Some(copy) => format!("copy of {}", scene.agent_name(copy.agent as usize)),
        None => scene.agent_name(done.step.agent).into(),
    }
}

/// What a copy in flight does in a step.
pub(crate) fn copy_label(replay: &Replay, scene: &Scene, copy: Copy, way: usize) -> String {
    let name = object_name(scene, &replay.machine, Object::Mbarrier(copy.object as usize));
    match copy.left {
        None => format!("arrive at {name} behind cp.async"),
        Some(left) if way == 0 => format!("complete {left} bytes at {name}"),
        Some(_) => format!("complete a part of the bytes at {name}"),
    }
}

/// The name of an object, with its CTA where there are several.
pub(crate) fn object_name(scene: &Scene, machine: &Machine, object: Object) -> String {
    let (name, cta) = match object {
        Object::Mbarrier(index) => {
            let (declared, cta) = machine.named(index);
            (scene.mbarrier_name(declared), cta)
        }
        Object::Bar(index) => (format!("barrier {}", index % BARS), (index / BARS) as u32),
    };
    if machine.context.program.launch.workgroups > 1 {
        format!("{name} of cta {cta}")
    } else {
        name
    }
}
