//! Programs of OpenCL operations as a step-by-step machine over interleavings.
//!
//! Agents are work-items. A work-item at a barrier waits until all of its work-group or sub-group arrive; at a named
//! barrier, until as many complete sub-groups as its count arrive. The last to arrive releases all in its own step.
//!
//! A work-item that reaches a barrier is compared with those that are at a barrier or have ended, so the second of two
//! conflicting work-items shows the broken rule. No other step can change that, because neither can continue without the
//! other.

mod accesses;
mod ample;
mod call;
pub mod endless;
mod may;
mod meet;
pub mod memory;
mod named;
pub mod node;
pub mod one_run;
mod order;
mod pack;
mod precede;
mod search;
mod split;
pub mod state;
mod step;
mod symmetry;

use crate::context::Context;
use crate::mem::map::accesses;
use crate::opencl::action::Action;
use crate::operation;
use crate::program::{Node, NodeId};
use crate::reading::Readings;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;
use node::action_of;
use state::{At, Phase, Standing, State};
use symmetry::Symmetry;

/// A program made ready to be stepped.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The program.
    pub context: Rc<Context>,
    /// The readings.
    pub readings: Readings,
    /// How many named barriers are declared.
    declared: usize,
    /// By body and node: the named barriers that can be waited on before the next barrier of the work-group.
    ahead: Rc<[Vec<u128>]>,
    /// By body and node: the named barriers that can be constructed from there on.
    makes: Rc<[Vec<u128>]>,
    /// Whether more than one of the rules that end paths can be broken.
    several: bool,
    /// By body and node: the rules that can be broken from there on.
    may: Rc<[Vec<may::May>]>,
    /// Whether agents with several outcomes go last: an earlier arrival at a barrier may end all of their paths alike.
    forks_last: bool,
    /// The interchangeable work-items, if states are put into canonical form.
    symmetry: Option<Symmetry>,
    /// The size of the longest access, in bytes.
    longest: u32,
    /// Whether every access is kept, in the order in which they were made.
    keeps: bool,
}

impl Machine {
    /// Makes a program ready.
    #[must_use]
    pub fn new(context: Rc<Context>, readings: Readings) -> Self {
        let actions = context.operations().filter_map(|(_, _, operation)| match operation.action {
            operation::Action::Opencl(action) => Some(action),
            _ => None,
        });
        let declared = actions.filter_map(|action| match action {
            Action::Construct { object, .. } | Action::Wait { object, .. } => {
                Some(usize::from(object) + 1)
            }
            _ => None,
        });
        let declared = declared.max().unwrap_or(0);
        let bodies = &context.program.bodies;
        let branches = |node: &Node| matches!(node, Node::Choose { .. });
        let first = usize::from(context.program.host_chooses);
        let branching = bodies.iter().any(|body| body.nodes[first..].iter().any(branches));
        // Only branching programs have orders to merge, and the knowledge of accesses distinguishes work-items. If executions may
        // not end, blocked work-items must keep their positions.
        let ordered =
            context.memory.is_none() && (branching || declared > 0) && !context.reaches.any_cycle();
        let all = || bodies.iter().flat_map(|body| &body.nodes).filter_map(action_of);
        let splits = all().any(|action| matches!(action, Action::Arrive { .. }));
        let ahead = bodies.iter().map(|body| node::ahead(&body.nodes)).collect();
        let makes = bodies.iter().map(|body| node::makes(&body.nodes)).collect();
        let may = may::may(bodies, splits, &readings);
        let several = may::ends_paths_with_several(&may);
        let forks_last = context.memory.is_some() || may::breaks_one(&may);
        let symmetry = ordered.then(|| Symmetry::of(&context.program));
        let ranges = context.operations().flat_map(|(_, _, one)| accesses(one.action));
        let longest = ranges.map(|one| one.range.end.saturating_sub(one.range.start)).max();
        let (longest, keeps) = (longest.unwrap_or(0), false);
        Self {
            context,
            readings,
            declared,
            ahead,
            makes,
            several,
            may,
            forks_last,
            symmetry,
            longest,
            keeps,
        }
    }

    /// The same machine, whose states store every access in order, for questions on a single execution. A search must not use
    /// it: accesses that no agent can race with distinguish its states.
    #[must_use]
    pub fn keeping(&self) -> Self {
        Self { keeps: true, ..self.clone() }
    }

    /// The state at launch.
    #[must_use]
    pub fn initial(&self) -> State {
        let program = &self.context.program;
        let agents = program.agents.len();
        State {
            agents: alloc::vec![At::default(); agents],
            made: alloc::vec![0; agents * self.declared],
            objects: Vec::new(),
            phases: alloc::vec![Phase::default(); program.launch.workgroups as usize],
            memory: (self.keeps || self.context.memory.is_some()).then(Default::default),
            broken: 0,
            stopped: false,
        }
    }

    /// The node of an agent; `None` if it has ended.
    #[must_use]
    pub fn node(&self, state: &State, agent: usize) -> Option<&Node> {
        let at = state.agents[agent];
        let nodes = &self.context.program.body_of(agent).nodes;
        (at.standing != Standing::Ended).then(|| &nodes[at.node as usize])
    }

    /// The next OpenCL operation of an agent.
    #[must_use]
    pub fn action(&self, state: &State, agent: usize) -> Option<Action> {
        self.node(state, agent).and_then(action_of)
    }

    /// The operation of OpenCL at which an agent waits for others.
    #[must_use]
    pub fn waits_at(&self, state: &State, agent: usize) -> Option<Action> {
        let waits = state.agents[agent].standing == Standing::Waiting;
        if waits { self.action(state, agent) } else { None }
    }

    /// The work-group of an agent.
    #[must_use]
    pub fn group(&self, agent: usize) -> u32 {
        self.context.program.agents[agent].workgroup
    }

    /// The work-items of a work-group, which are contiguous.
    #[must_use]
    pub fn in_group(&self, group: u32) -> Range<usize> {
        let size = self.context.program.agents_of_workgroup();
        group as usize * size..(group as usize + 1) * size
    }

    /// The sub-group of an agent, counted over all work-groups.
    #[must_use]
    pub fn sub_group(&self, agent: usize) -> usize {
        let group = self.group(agent);
        let within = agent - self.in_group(group).start;
        self.sub_groups(group).start + within / self.sub_group_size()
    }

    /// The work-items of a sub-group. The last one of a work-group may have fewer than the others.
    #[must_use]
    pub fn in_sub_group(&self, sub_group: usize) -> Range<usize> {
        let waves = self.context.program.launch.waves as usize;
        let group = self.in_group((sub_group / waves) as u32);
        let start = group.start + sub_group % waves * self.sub_group_size();
        start..(start + self.sub_group_size()).min(group.end)
    }

    /// The maximum number of work-items of a sub-group. In a program without OpenCL operations, lanes may execute together.
    fn sub_group_size(&self) -> usize {
        self.context.program.lanes_apart() as usize
    }

    /// The sub-groups of a work-group, counted over all of them.
    #[must_use]
    pub fn sub_groups(&self, group: u32) -> Range<usize> {
        let waves = self.context.program.launch.waves as usize;
        group as usize * waves..(group as usize + 1) * waves
    }

    /// The objects that an agent can wait on from a node before the next barrier of its work-group.
    fn ahead(&self, agent: usize, node: NodeId) -> u128 {
        self.ahead[self.context.program.agents[agent].body as usize][node as usize]
    }

    /// Whether a path can return to a state.
    #[must_use]
    pub fn has_cycles(&self) -> bool {
        self.context.reaches.any_cycle()
    }

    /// The rules that a state has broken, by number, with those that only show at the end of a path.
    #[must_use]
    pub fn broken(&self, state: &State, terminal: bool) -> u64 {
        if state.stopped || !terminal {
            return state.broken;
        }
        let left = |agent: &usize| state.agents[*agent].standing != Standing::Ended;
        let stuck: Vec<usize> = (0..state.agents.len()).filter(left).collect();
        if stuck.is_empty() {
            return state.broken;
        }
        state.broken | self.starved(state, &stuck) | self.never_made(state)
    }
}
