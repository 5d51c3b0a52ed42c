//! The barrier execution model as a step-by-step machine over interleavings.
//!
//! `amdgpu-execution-synchronization`, all of "Execution Model". A [`state::State`] keeps every choice of phases
//! for the waits so far that the rules which *constrain* executions allow. A wait passes while at least one choice
//! survives. A finding counts when it holds under every surviving choice.

mod ample;
pub mod choice;
mod collect;
mod machine;
pub mod memory;
mod merge;
mod one_run;
mod pack;
pub mod state;
pub mod step;
mod subsume;
mod symmetry;
pub mod tracking;

use crate::agent::AgentState;
use crate::barrier::Barrier;
use crate::context::Context;
use crate::instance::InstanceId;
use crate::mem::outstanding::Outstanding;
use crate::operation::Object;
use crate::program::Node;
use crate::reading::{ReadingId, Readings};
use crate::target::Target;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use choice::{Bits, Choice};
use state::{ObjectState, State};
use tracking::Tracking;

/// The maximum number of agents that join named barriers.
pub const MAX_JOINERS: usize = 128;

/// A program made ready to be stepped under given readings.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The program.
    pub context: Rc<Context>,
    /// The readings chosen.
    pub readings: Readings,
    joiners: Rc<[Option<u8>]>,
    /// The tracked aspects of memory; `None` if no two accesses can conflict.
    pub memory: Option<Rc<Tracking>>,
    /// The target, if one is set; it decides the counters of an access.
    pub target: Option<Target>,
}

/// More agents join named barriers than [`MAX_JOINERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyJoiners;

impl Spec {
    /// Makes a program ready.
    ///
    /// # Errors
    /// When more than [`MAX_JOINERS`] agents join named barriers.
    pub fn new(context: Rc<Context>, readings: Readings) -> Result<Self, TooManyJoiners> {
        let agents = 0..context.program.agents.len();
        if agents.clone().filter(|&agent| context.joins(agent)).count() > MAX_JOINERS {
            return Err(TooManyJoiners);
        }
        let mut count = 0..;
        let joiners =
            agents.map(|agent| if context.joins(agent) { count.next() } else { None }).collect();
        let memory = Tracking::of(&context).map(Rc::new);
        Ok(Self { context, readings, joiners, memory, target: None })
    }

    /// The machine for another program whose agents join the same barriers.
    #[must_use]
    pub fn of(&self, context: &Rc<Context>) -> Self {
        let memory = Tracking::of(context).map(Rc::new);
        let other = Self { context: Rc::clone(context), memory, ..self.clone() };
        match self.target {
            Some(target) => other.on(&target),
            None => other,
        }
    }

    /// The state at launch: workgroup and cluster barriers are initialised, nothing else is.
    #[must_use]
    pub fn initial(&self) -> State {
        let launch = self.context.program.launch;
        let object = |instance: &crate::instance::Instance| {
            let barrier = match instance.object {
                Object::Workgroup => Barrier::launched(launch.waves as i32),
                Object::Cluster => Barrier::launched(launch.workgroups_per_cluster() as i32),
                _ => Barrier::default(),
            };
            ObjectState { barrier, ..ObjectState::default() }
        };
        let agents = self.context.program.agents.len();
        let choice =
            Choice { agents: alloc::vec![Default::default(); agents], ..Choice::default() };
        State {
            agents: alloc::vec![AgentState::default(); agents],
            objects: self.context.instances.list.iter().map(object).collect(),
            slots: Vec::new(),
            choices: alloc::vec![choice],
            memory: self.memory.as_ref().map(|_| Box::new(Outstanding::nothing(agents))),
            stop: None,
        }
    }

    /// The node of an agent; `None` if it has ended.
    #[must_use]
    pub fn node(&self, state: &State, agent: usize) -> Option<&Node> {
        let at = state.agents[agent];
        (!at.ended).then(|| &self.context.program.body_of(agent).nodes[at.node as usize])
    }

    /// Whether the reading has its default answer.
    pub(crate) fn usual(&self, id: ReadingId) -> bool {
        self.readings.is_default(id)
    }

    /// The index of an agent among the agents that join named barriers.
    pub(crate) fn joiner(&self, agent: usize) -> Option<usize> {
        self.joiners[agent].map(usize::from)
    }

    /// Rules broken in every choice of a state, by number.
    #[must_use]
    pub fn broken(state: &State) -> u64 {
        state.choices.iter().fold(u64::MAX, |rules, choice| rules & choice.broken)
    }

    /// Rules broken in some choice of a state, by number.
    #[must_use]
    pub fn broken_somewhere(state: &State) -> u64 {
        state.choices.iter().fold(0, |rules, choice| rules | choice.broken)
    }

    /// Slots on which a wait of an agent could depend now, over all choices.
    #[must_use]
    pub fn candidates(state: &State, agent: usize, object: InstanceId) -> Bits {
        let can = |slot: usize| state.choices.iter().any(|choice| choice.can_wait(agent, slot));
        state.slots_with(|at, slot| slot.completed && slot.object == object && can(at))
    }
}
