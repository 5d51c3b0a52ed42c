//! The interface of every machine: how programs are executed, step by step, and what a search needs to know of the states.
//!
//! Each family of barriers has one machine: [`crate::spec::Spec`] for the specification of AMDGPU, [`crate::onebit::Machine`] for its hardware
//! model, [`crate::ptx::machine::Machine`] for NVIDIA, and [`crate::opencl::machine::Machine`] for OpenCL. Searching,
//! replaying and stepping are written once over this trait.

use crate::context::Context;
use crate::one_run::order::Order;
use crate::one_run::touch::{Awaited, Touches};
use crate::program::{Agent, Program};
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::fmt::Debug;

/// The distance from the bit of a rule in [`Machine::facts`] to the bit for the same rule broken in some choice of phases only.
pub const SOMEWHERE: u32 = 64;

/// The fact that some agent is blocked forever, whichever rule that breaks, for machines with several such rules.
pub const STUCK: u128 = 1 << 60;

/// The fact that behaviour is undefined from a state on, so that no agent continues, whichever rule that breaks.
pub const CUT: u128 = 1 << 59;

/// The number of the first fact about states that exceed a limit of the machine.
pub const OVERFLOW: u32 = 61;

/// All facts about states that exceed a limit of the machine.
pub const OVERFLOWS: u128 = 0b111 << OVERFLOW;

/// A machine that executes a program. The *actors* of a state are the agents of the program, in order, followed by anything
/// else that moves by itself, such as copies in flight.
pub trait Machine: Clone + Debug {
    /// A state of an execution.
    type State: Clone + Debug;
    /// The data that a search records about the steps that it takes.
    type Record: Clone + Debug + Default;
    /// Whether states can have actors beside the agents.
    const HAS_COPIES: bool = false;
    /// Whether the parts of a program depend on the state.
    const PARTS_CHANGE: bool = false;

    /// The program and its derived data.
    fn context(&self) -> &Rc<Context>;

    /// The state at launch.
    fn initial(&self) -> Self::State;

    /// The number of actors in a state.
    fn actors(&self, _state: &Self::State) -> usize {
        self.context().program.agents.len()
    }

    /// The number of outcomes of the next step of an actor; 0 if it has ended or is blocked.
    fn ways(&self, state: &Self::State, actor: usize) -> usize;

    /// The state after an outcome of the next step of an actor that can continue.
    fn perform(&self, state: &Self::State, actor: usize, way: usize) -> Self::State;

    /// The program node of an actor: the next one of an agent, or the one that started a copy.
    fn node_of(&self, state: &Self::State, actor: usize) -> u32;

    /// Whether an agent has ended.
    fn has_ended(&self, state: &Self::State, agent: usize) -> bool;

    /// The rules that the machine can report.
    fn rules(&self) -> Vec<RuleId>;

    /// The rules that only the end of a path shows.
    fn rules_at_end(&self) -> &'static [RuleId];

    /// The rules that the execution up to this state has broken, one bit each.
    fn broken(&self, state: &Self::State) -> u64;

    /// The properties of a state for a search: broken rules by [`RuleId::number`], those that are broken in some choice of phases only
    /// at a distance of [`SOMEWHERE`], [`STUCK`], [`CUT`], and [`OVERFLOWS`]. A terminal state has no successor.
    fn facts(&self, state: &Self::State, terminal: bool) -> u128;

    /// Puts a state into canonical form, which exchanges interchangeable agents. Returns, for each new position, the
    /// previous position of its agent.
    fn canonicalise(&self, state: &mut Self::State) -> Vec<usize>;

    /// Whether the steps of two actors of a canonical state lead to states that differ by an exchange of the two.
    fn are_alike(&self, _state: &Self::State, _one: usize, _other: usize) -> bool {
        false
    }

    /// The actor of the original program that an actor of a canonical state is, where `order` maps the agents.
    fn original(
        &self,
        _original: &Self::State,
        _canonical: &Self::State,
        order: &[usize],
        actor: usize,
    ) -> usize {
        order[actor]
    }

    /// An actor whose next step may go before all steps of the others without loss of a finding, if one is known.
    fn ample(&self, state: &Self::State) -> Option<usize>;

    /// The agent of an actor: itself, or the one that started a copy.
    fn owner(&self, _state: &Self::State, actor: usize) -> usize {
        actor
    }

    /// The part of the program that each agent belongs to in a state. No step in one part changes what another part can do,
    /// except that undefined behaviour stops all agents.
    fn parts(&self, _state: &Self::State) -> Vec<u32> {
        by_cluster(&self.context().program)
    }

    /// Performs further steps after `next`, the successor of `before`, that no search needs to tell apart, and passes the agent of each to `each`.
    fn skip(&self, _before: &Self::State, _next: &mut Self::State, _each: &mut dyn FnMut(usize)) {}

    /// Records a step that an agent can take, or a wait at the end of a path that it cannot pass.
    fn record(&self, _record: &mut Self::Record, _state: &Self::State, _agent: usize) {}

    /// Whether a path can return to a state.
    fn has_cycles(&self) -> bool {
        self.context().reaches.any_cycle()
    }

    /// The facts of executions that stay in a set of states forever, and the index of the state that shows them best.
    fn endless(&self, states: &mut dyn Iterator<Item = Self::State>) -> (u128, usize);

    /// Work of all steps so far beside the size of their states, in units of about ten nanoseconds, if the machine counts it.
    fn work(&self) -> u64 {
        0
    }

    /// Work of one step in the same units, if the machine does not count it itself.
    fn work_of_step(&self, _state: &Self::State) -> u64 {
        0
    }

    /// Arrivals that complete a phase of each object at launch, for [`crate::one_run`]; `None` if the program is not covered.
    fn needed(&self) -> Option<Vec<u32>> {
        None
    }

    /// Adds the objects that the next step of an actor touches; `false` if the step is not covered.
    fn touches(&self, _state: &Self::State, _actor: usize, _out: &mut Touches) -> bool {
        false
    }

    /// Whether a state after a step of an agent agrees with the clocks on an object that the step touched.
    fn agrees(&self, _state: &Self::State, _object: u32, _order: &Order, _agent: usize) -> bool {
        true
    }

    /// What a blocked agent waits for, for [`crate::one_run`]; `None` if that is not covered.
    fn awaits(&self, _state: &Self::State, _agent: usize) -> Option<Awaited> {
        None
    }

    /// Performs a step on the state itself, as [`Self::perform`] does on a copy.
    fn advance(&self, state: &mut Self::State, actor: usize, way: usize) {
        *state = self.perform(state, actor, way);
    }

    /// Writes a state to the end of `out`; equal bytes mean equal futures.
    fn pack(&self, state: &Self::State, out: &mut Vec<u8>);

    /// Reads a state that [`Self::pack`] wrote.
    fn unpack(&self, bytes: &[u8]) -> Self::State;
}

/// Each cluster as a part, unless its agents share objects with others.
pub(crate) fn by_cluster(program: &Program) -> Vec<u32> {
    let part = |agent: &Agent| match program.plain_objects {
        0 => program.launch.cluster_of(agent.workgroup),
        _ => 0,
    };
    program.agents.iter().map(part).collect()
}

/// The methods of [`Machine`] that every machine has of its own, under the same names.
macro_rules! own_methods {
    () => {
        fn context(&self) -> &::alloc::rc::Rc<$crate::context::Context> {
            &self.context
        }

        fn initial(&self) -> Self::State {
            Self::initial(self)
        }

        fn ways(&self, state: &Self::State, actor: usize) -> usize {
            Self::ways(self, state, actor)
        }

        fn perform(&self, state: &Self::State, actor: usize, way: usize) -> Self::State {
            Self::perform(self, state, actor, way)
        }

        fn canonicalise(&self, state: &mut Self::State) -> ::alloc::vec::Vec<usize> {
            Self::canonicalise(self, state)
        }

        fn ample(&self, state: &Self::State) -> Option<usize> {
            Self::ample(self, state)
        }

        fn pack(&self, state: &Self::State, out: &mut ::alloc::vec::Vec<u8>) {
            Self::pack(self, state, out);
        }

        fn unpack(&self, bytes: &[u8]) -> Self::State {
            Self::unpack(self, bytes)
        }

        fn needed(&self) -> Option<::alloc::vec::Vec<u32>> {
            Self::needed(self)
        }

        fn awaits(
            &self,
            state: &Self::State,
            agent: usize,
        ) -> Option<$crate::one_run::touch::Awaited> {
            Self::awaits(self, state, agent)
        }

        fn touches(
            &self,
            state: &Self::State,
            actor: usize,
            out: &mut $crate::one_run::touch::Touches,
        ) -> bool {
            Self::touches(self, state, actor, out)
        }
    };
}

pub(crate) use own_methods;
