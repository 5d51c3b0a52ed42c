//! A program with the analyses that the specification and the hardware model need.

use crate::agent::AgentState;
use crate::bounds::Known;
use crate::instance::{InstanceId, Instances};
use crate::mem::map::Map;
use crate::operation::{Action, Object, Operation};
use crate::program::{Node, Program};
use crate::reach::Reaches;
use crate::symmetry;
use crate::work::Work;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A program, the barrier objects that it uses, and what each agent can still do from each node.
#[derive(Clone, Debug)]
pub struct Context {
    /// The program.
    pub program: Rc<Program>,
    /// The barrier objects that it uses.
    pub instances: Instances,
    /// The operations that each agent can still perform from each node.
    pub reaches: Reaches,
    /// For each agent the number of its class: agents of one class can be exchanged.
    pub classes: Rc<[u32]>,
    /// Its memory accesses, if two of them can conflict.
    pub memory: Option<Rc<Map>>,
    /// The work that the machines have spent on lookahead.
    pub work: Work,
    /// What the lookahead found last.
    pub known: Known,
}

impl Context {
    /// Analyses a program.
    #[must_use]
    pub fn new(program: Rc<Program>) -> Self {
        let instances = Instances::of(&program);
        let reaches = Reaches::of(&program, &instances);
        let classes = symmetry::classes(&program);
        let memory = Map::of(&program).map(Rc::new);
        Self {
            program,
            instances,
            reaches,
            classes,
            memory,
            work: Work::default(),
            known: Known::default(),
        }
    }

    /// The program without the accesses whose occurrence or address depends on data; `None` if it has no such accesses.
    #[must_use]
    pub fn certain(&self) -> Option<Self> {
        self.program.certain().map(|certain| Self::new(Rc::new(certain)))
    }

    /// See [`Program::exact_and_covering`].
    #[must_use]
    pub fn exact_and_covering(&self) -> Option<(Self, Self)> {
        let (exact, covering) = self.program.exact_and_covering()?;
        Some((Self::new(Rc::new(exact)), Self::new(Rc::new(covering))))
    }

    /// The accesses of each agent before its first barrier and before control flow depends on data.
    #[must_use]
    pub fn beginning(&self) -> Self {
        Self::new(Rc::new(self.program.beginning()))
    }

    /// The object of an instance.
    #[must_use]
    pub fn object(&self, instance: InstanceId) -> Object {
        self.instances.list[usize::from(instance)].object
    }

    /// The agents of a workgroup.
    pub fn in_workgroup(&self, workgroup: u32) -> impl Iterator<Item = usize> {
        let agents = self.program.agents.iter().enumerate();
        agents.filter(move |(_, agent)| agent.workgroup == workgroup).map(|(index, _)| index)
    }

    /// Agents that can pass a wait, followed by the others of `ready`. Agents that have passed the barrier of a workgroup often
    /// share nothing.
    pub(crate) fn waits_first(
        &self,
        agents: &[AgentState],
        ready: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = usize> {
        let node = |agent: usize| &self.program.body_of(agent).nodes[agents[agent].node as usize];
        let is_wait = |node: &Node| match node {
            Node::Operation { operation, .. } => matches!(operation.action, Action::Wait { .. }),
            _ => false,
        };
        let (waits, others): (Vec<usize>, Vec<usize>) = ready.partition(|&at| is_wait(node(at)));
        waits.into_iter().chain(others)
    }

    /// Every operation in the bodies of the agents, with the agent and the node.
    pub fn operations(&self) -> impl Iterator<Item = (usize, u32, &Operation)> {
        (0..self.program.agents.len()).flat_map(move |agent| {
            let nodes = (0..).zip(&self.program.body_of(agent).nodes);
            nodes.filter_map(move |(id, node)| match node {
                Node::Operation { operation, .. } => Some((agent, id, operation)),
                _ => None,
            })
        })
    }

    /// Whether an agent's body joins a named barrier.
    #[must_use]
    pub fn joins(&self, agent: usize) -> bool {
        let nodes = &self.program.body_of(agent).nodes;
        nodes.iter().any(|node| matches!(node, Node::Operation { operation, .. } if matches!(operation.action, Action::Join { .. })))
    }
}
