//! Summaries of the operations that are reachable from a node, computed once for each body.

use crate::instance::{InstanceId, Instances, NO_INSTANCE};
use crate::operation::Action;
use crate::ordered::OrderedMap;
use crate::program::{Node, NodeId, Program, successors};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A set of instances. Instances from 127 share the last bit, which only makes summaries coarser.
pub type InstanceSet = u128;

/// The set of one instance.
#[must_use]
pub fn instance_bit(instance: InstanceId) -> InstanceSet {
    if instance == NO_INSTANCE { 0 } else { 1 << instance.min(127) }
}

/// The operations that are reachable from a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Objects that a wait can act on.
    pub waits: InstanceSet,
    /// Objects that an arrive acts on.
    pub arrives: InstanceSet,
    /// Objects that a drop (not the end of the wave) can act on.
    pub drops: InstanceSet,
    /// Objects that are initialised.
    pub inits: InstanceSet,
    /// Objects on which an arrive sets a new expected count or tests for the first arrival.
    pub special: InstanceSet,
    /// Objects that are joined.
    pub joins: InstanceSet,
    /// Objects used by any operation except a join.
    pub touches: InstanceSet,
}

impl Reach {
    fn merge(self, other: Self) -> Self {
        Self {
            waits: self.waits | other.waits,
            arrives: self.arrives | other.arrives,
            drops: self.drops | other.drops,
            inits: self.inits | other.inits,
            special: self.special | other.special,
            joins: self.joins | other.joins,
            touches: self.touches | other.touches,
        }
    }
}

/// Summaries for every agent and node, and whether a body has a cycle.
#[derive(Clone, Debug)]
pub struct Reaches {
    by_agent: Vec<Rc<BodyReach>>,
}

#[derive(Debug)]
struct BodyReach {
    nodes: Vec<Reach>,
    cyclic: bool,
}

impl Reaches {
    /// Computes the summaries.
    #[must_use]
    pub fn of(program: &Program, instances: &Instances) -> Self {
        let mut shared = OrderedMap::new();
        let of = |agent: usize| {
            let key = (program.agents[agent].workgroup, program.agents[agent].body);
            Rc::clone(
                shared
                    .entry(key)
                    .or_insert_with(|| Rc::new(BodyReach::of(program, instances, agent))),
            )
        };
        Self { by_agent: (0..program.agents.len()).map(of).collect() }
    }

    /// The operations that are reachable from a node of an agent.
    #[must_use]
    pub fn from(&self, agent: usize, node: NodeId) -> Reach {
        self.by_agent[agent].nodes[node as usize]
    }

    /// Whether the agent's body can repeat a node.
    #[must_use]
    pub fn is_cyclic(&self, agent: usize) -> bool {
        self.by_agent[agent].cyclic
    }

    /// Whether the body of any agent can repeat a node.
    #[must_use]
    pub fn any_cycle(&self) -> bool {
        self.by_agent.iter().any(|body| body.cyclic)
    }
}

impl BodyReach {
    fn of(program: &Program, instances: &Instances, agent: usize) -> Self {
        let body = program.body_of(agent);
        // A wait on a named object acts on the object joined last, so it may act on any named object of the body.
        let named = body.nodes.iter().zip(0..).filter(|(node, _)| names_a_named_object(node));
        let named = named.fold(0, |set, (_, id)| set | instance_bit(instances.at(agent, id)));
        let own = |id: NodeId| {
            own(&body.nodes[id as usize], instance_bit(instances.at(agent, id)), named)
        };
        let count = body.nodes.len() as NodeId;
        let mut nodes: Vec<Reach> = (0..count).map(own).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for id in (0..count).rev() {
                let all = successors(&body.nodes[id as usize]);
                let merged = all
                    .iter()
                    .fold(nodes[id as usize], |reach, &next| reach.merge(nodes[next as usize]));
                changed |= merged != nodes[id as usize];
                nodes[id as usize] = merged;
            }
        }
        let cyclic = has_cycle(&body.nodes);
        Self { nodes, cyclic }
    }
}

fn names_a_named_object(node: &Node) -> bool {
    matches!(node, Node::Operation { operation, .. } if operation.action.object().is_some_and(|object| object.is_named()))
}

fn own(node: &Node, instance: InstanceSet, named: InstanceSet) -> Reach {
    let Node::Operation { operation, .. } = node else { return Reach::default() };
    let meant = if operation.action.object().is_some_and(|object| object.is_named()) {
        named
    } else {
        instance
    };
    let touched = Reach { touches: instance, ..Reach::default() };
    match operation.action {
        Action::Init { .. } => Reach { inits: instance, ..touched },
        Action::Arrive { expected, is_first, .. } if expected.is_some() || is_first => {
            Reach { special: instance, arrives: instance, ..touched }
        }
        Action::Arrive { .. } => Reach { arrives: instance, ..touched },
        Action::Wait { .. } => Reach { waits: meant, touches: meant, ..Reach::default() },
        Action::Drop { .. } => Reach { drops: instance, ..touched },
        Action::Leave => Reach { drops: named, touches: named, ..Reach::default() },
        Action::Join { .. } => Reach { joins: instance, ..Reach::default() },
        Action::ReadState { .. }
        | Action::Memory(_)
        | Action::Ptx(..)
        | Action::Opencl(_)
        | Action::Caches
        | Action::Condition(_) => Reach::default(),
    }
}

fn has_cycle(nodes: &[Node]) -> bool {
    // Removes nodes without a remaining predecessor. The remaining nodes are on a cycle or after one.
    let mut predecessors = alloc::vec![0u32; nodes.len()];
    for &next in nodes.iter().flat_map(successors) {
        predecessors[next as usize] += 1;
    }
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|&id| predecessors[id] == 0).collect();
    let mut removed = 0;
    while let Some(id) = ready.pop() {
        removed += 1;
        for &next in successors(&nodes[id]) {
            predecessors[next as usize] -= 1;
            if predecessors[next as usize] == 0 {
                ready.push(next as usize);
            }
        }
    }
    removed < nodes.len()
}
