//! Instances of barrier objects: the concrete objects that operations name.
//!
//! `amdgpu-execution-synchronization`, "Barrier Objects": an object exists within an instance of its scope. Each
//! workgroup has its own workgroup barrier and named barriers, and each cluster its own cluster barrier. A plain object of
//! the model exists in each workgroup whose agents initialise it. From another workgroup, its name refers to the object of
//! the first such workgroup, which that agent may not use (`amd.object.scope`).

use crate::operation::{Action, Object};
use crate::ordered::OrderedMap;
use crate::ordered::OrderedSet;
use crate::program::{Agent, BodyId, Node, Program};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Index of an instance in [`Instances::list`].
pub type InstanceId = u16;

/// No instance: the operation names no usable object.
pub const NO_INSTANCE: InstanceId = InstanceId::MAX;

/// One concrete barrier object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// The object that it is an instance of.
    pub object: Object,
    /// Its workgroup; for the cluster barrier its cluster; for a plain object its home workgroup.
    pub place: u32,
}

/// The instances that a program uses.
#[derive(Clone, Debug)]
pub struct Instances {
    /// The instances, in order of object, then place.
    pub list: Vec<Instance>,
    by_node: Vec<Rc<[InstanceId]>>,
    launched: Vec<(InstanceId, InstanceId)>,
}

impl Instances {
    /// Finds every instance that the operations of an agent name.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let homes = homes(program);
        let mut used = OrderedSet::new();
        for agent in &program.agents {
            for object in objects_of(program, agent.body) {
                used.extend(instance(program, &homes, agent, object));
            }
        }
        let list: Vec<Instance> = used.into_iter().collect();
        let find = |instance: Instance| {
            list.binary_search(&instance).map_or(NO_INSTANCE, |index| index as InstanceId)
        };
        let mut shared: OrderedMap<(u32, BodyId), Rc<[InstanceId]>> = OrderedMap::new();
        let by_node = program
            .agents
            .iter()
            .map(|agent| {
                let resolve = || {
                    let nodes = &program.bodies[agent.body as usize].nodes;
                    nodes
                        .iter()
                        .map(|node| {
                            node_object(node)
                                .and_then(|o| instance(program, &homes, agent, o))
                                .map_or(NO_INSTANCE, find)
                        })
                        .collect()
                };
                Rc::clone(shared.entry((agent.workgroup, agent.body)).or_insert_with(resolve))
            })
            .collect();
        let launched = program
            .agents
            .iter()
            .map(|agent| {
                let at =
                    |object| instance(program, &homes, agent, object).map_or(NO_INSTANCE, find);
                (at(Object::Workgroup), at(Object::Cluster))
            })
            .collect();
        Self { list, by_node, launched }
    }

    /// The instance that the operation at a node of an agent names.
    #[must_use]
    pub fn at(&self, agent: usize, node: u32) -> InstanceId {
        self.by_node[agent][node as usize]
    }

    /// The workgroup barrier of an agent, if the program uses it.
    #[must_use]
    pub fn workgroup_of(&self, agent: usize) -> InstanceId {
        self.launched[agent].0
    }

    /// The cluster barrier of an agent, if the program uses it.
    #[must_use]
    pub fn cluster_of(&self, agent: usize) -> InstanceId {
        self.launched[agent].1
    }
}

fn node_object(node: &Node) -> Option<Object> {
    match node {
        Node::Operation { operation, .. } => operation.action.object(),
        _ => None,
    }
}

fn objects_of(program: &Program, body: BodyId) -> OrderedSet<Object> {
    program.bodies[body as usize].nodes.iter().filter_map(node_object).collect()
}

/// For each plain object, the workgroups whose agents initialise it.
fn homes(program: &Program) -> Vec<OrderedSet<u32>> {
    let mut homes = alloc::vec![OrderedSet::new(); usize::from(program.plain_objects)];
    for agent in &program.agents {
        for node in &program.bodies[agent.body as usize].nodes {
            if let Node::Operation { operation, .. } = node
                && let Action::Init { object: Object::Plain(index), .. } = operation.action
                && let Some(home) = homes.get_mut(usize::from(index))
            {
                home.insert(agent.workgroup);
            }
        }
    }
    homes
}

/// The workgroup whose plain object an agent uses: its own if that initialises one, otherwise the first that does.
fn home(homes: &OrderedSet<u32>, workgroup: u32) -> u32 {
    if homes.contains(&workgroup) { workgroup } else { homes.first().copied().unwrap_or(workgroup) }
}

fn instance(
    program: &Program,
    homes: &[OrderedSet<u32>],
    agent: &Agent,
    object: Object,
) -> Option<Instance> {
    let place = match object {
        Object::Workgroup | Object::Named(_) => agent.workgroup,
        Object::Cluster => program.launch.cluster_of(agent.workgroup),
        Object::Plain(index) => home(homes.get(usize::from(index))?, agent.workgroup),
        Object::Null | Object::Trap(_) | Object::Outside(_) => return None,
    };
    Some(Instance { object, place })
}
