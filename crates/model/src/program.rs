//! A program: for each agent the graph of the operations that it can perform.
//!
//! Expressions, loops, calls and conditions are gone: what is left is a graph whose nodes are operations. A node has more
//! than one successor only where the outcome of an operation (`arrive.isfirst`) or a `choose` decides.

use crate::mem::map::Access;
use crate::mem::operation::{Buffer, Memory};
use crate::operation::{Action, Operation};
use alloc::vec::Vec;

/// Index of a node in a [`Body`].
pub type NodeId = u32;

/// Index of a body in a [`Program`].
pub type BodyId = u32;

/// Where the agents stand. Every count is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Clusters, each with `workgroups / clusters` workgroups.
    pub clusters: u32,
    /// Workgroups in all clusters together.
    pub workgroups: u32,
    /// Waves in each workgroup.
    pub waves: u32,
    /// Lanes in each wave.
    pub lanes: u32,
}

impl Launch {
    /// Workgroups in one cluster: the expected count that the cluster barrier is launched with.
    #[must_use]
    pub const fn workgroups_per_cluster(self) -> u32 {
        self.workgroups / self.clusters
    }

    /// The cluster in which a workgroup stands.
    #[must_use]
    pub const fn cluster_of(self, workgroup: u32) -> u32 {
        workgroup / self.workgroups_per_cluster()
    }
}

/// A node of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An operation; then the node for outcome 0 and the node for outcome 1. Where the outcome decides nothing the two
    /// are the same.
    Operation {
        /// The operation.
        operation: Operation,
        /// Successors by outcome.
        next: [NodeId; 2],
    },
    /// Any one of the successors, at least one.
    Choose {
        /// The alternatives, in the order of the text.
        next: Vec<NodeId>,
    },
    /// The lanes of the wave stand at different places: an operation of the wave cannot be performed.
    Divergent,
    /// The agent ends.
    End,
}

impl Node {
    /// The same node where its successors stand elsewhere: of each old place the new one.
    #[must_use]
    pub fn moved(&self, places: &[NodeId]) -> Self {
        let to = |next: NodeId| places[next as usize];
        match self {
            Self::Operation { operation, next } => {
                Self::Operation { operation: *operation, next: next.map(to) }
            }
            Self::Choose { next } => {
                Self::Choose { next: next.iter().map(|&next| to(next)).collect() }
            }
            Self::Divergent | Self::End => self.clone(),
        }
    }
}

/// What one agent, or several alike, can do. Execution starts at node 0. A body may have cycles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Body {
    /// The nodes, numbered in the order of first discovery, so that equal behaviour gives equal bodies.
    pub nodes: Vec<Node>,
}

/// One agent: a wave in its workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Index of its workgroup.
    pub workgroup: u32,
    /// Index of the wave within the workgroup.
    pub wave: u32,
    /// What it does.
    pub body: BodyId,
}

/// The work-groups of a launch of OpenCL that are in a program and stand for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Their numbers in the launch, in order.
    pub groups: Vec<u32>,
    /// How many work-groups the launch has.
    pub all: u32,
    /// The accesses, by agent and in order, that can race with accesses of other work-groups: of each two kinds that do,
    /// one pair at least is among them. `None`: all can.
    pub across: Option<Vec<(usize, Access)>>,
}

/// What a datum in memory must be for an access to happen. No agent writes it, and it is one for all agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// Which datum.
    pub datum: u32,
    /// Twice the least and the most that it may be: odd numbers are fractions.
    pub least: i64,
    /// See `least`.
    pub most: i64,
    /// Whether it may be no number (NaN).
    pub no_number: bool,
}

impl When {
    /// Whether no datum is both.
    #[must_use]
    pub const fn excludes(self, other: Self) -> bool {
        self.datum == other.datum
            && !(self.no_number && other.no_number)
            && (self.most < other.least || other.most < self.least)
    }
}

/// A whole program. Agents are in order of workgroup, then wave; each wave of the launch is an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The launch, of the work-groups that are in the program.
    pub launch: Launch,
    /// Where these are a part of it: which.
    pub part: Option<Part>,
    /// Number of plain barrier objects declared.
    pub plain_objects: u16,
    /// Declared memories.
    pub buffers: Vec<Buffer>,
    /// For each mbarrier object that a CTA has, elements of arrays one by one: the count with which it is initialised
    /// before the agents start; `None` where an agent initialises it.
    pub mbarriers: Vec<Option<i64>>,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Whether lanes of one wave have accesses of their own that meet and that nothing all lanes do orders. A wave is one
    /// agent, so these are not judged against each other.
    pub lanes_meet: bool,
    /// Whether the first node of every body is a choice of the host, which makes it once for all agents; only programs of
    /// OpenCL have one.
    pub host_chooses: bool,
    /// Whether the host could pass something for which bodies have no way.
    pub host_passes_more: bool,
    /// Whether it is not known that the bodies stand for anything that data in memory can lead to: what is found in them
    /// may be none.
    pub doubtful: bool,
    /// What data must be for accesses to happen: see [`crate::operation::Operation::when`].
    pub whens: Vec<When>,
    /// The bodies: two bodies of one program are never equal, so agents with one body id are alike.
    pub bodies: Vec<Body>,
}

impl Program {
    /// Agents of a wave: its lanes where each goes its own way, else 1.
    #[must_use]
    pub fn lanes_apart(&self) -> u32 {
        let waves = (self.launch.workgroups * self.launch.waves).max(1);
        (self.agents.len() as u32 / waves).max(1)
    }

    /// The same program without the accesses of which data decide whether they happen, or where; `None` where it has none.
    /// What is found in it needs no such data. Nodes keep their numbers.
    #[must_use]
    pub fn certain(&self) -> Option<Self> {
        let mut certain = self.clone();
        let nodes = certain.bodies.iter_mut().flat_map(|body| &mut body.nodes);
        let mut any = false;
        for node in nodes {
            if let Node::Operation { operation, .. } = node
                && operation.possible
            {
                let certain = operation.action.certain();
                operation.action = match certain == operation.action {
                    true => operation.action.without_accesses(),
                    false => certain,
                };
                any = true;
            }
        }
        any.then_some(certain)
    }

    /// What each agent accesses before its first barrier and before data decide what it does: it does that in every
    /// execution, and no barrier orders it. Nodes keep their numbers.
    #[must_use]
    pub fn beginning(&self) -> Self {
        let mut beginning = self.clone();
        for node in beginning.bodies.iter_mut().flat_map(|body| &mut body.nodes) {
            if let Node::Operation { operation, .. } = node
                && (operation.possible
                    || operation.decided
                    || !matches!(
                        operation.action,
                        Action::Memory(Memory::Load(_) | Memory::Store(_))
                    ))
            {
                *node = Node::End;
            }
        }
        beginning
    }

    /// The number of a work-group in the launch; `None` where it is the only one.
    #[must_use]
    pub fn group_number(&self, group: u32) -> Option<u32> {
        match &self.part {
            Some(part) => part.groups.get(group as usize).copied(),
            None => (self.launch.workgroups > 1).then_some(group),
        }
    }

    /// The body of an agent.
    #[must_use]
    pub fn body_of(&self, agent: usize) -> &Body {
        &self.bodies[self.agents[agent].body as usize]
    }
}
