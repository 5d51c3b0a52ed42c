//! A program: for each agent, the graph of the operations that it can perform.
//!
//! Expressions, loops, calls and conditions are evaluated, and the nodes of the graph are operations. A node has several
//! successors only if the outcome of an operation (`arrive.isfirst`) or a `choose` decides.

use crate::mem::operation::{Access, Buffer, Memory, Range};
use crate::operation::{Action, Operation};
use alloc::vec::Vec;

/// Index of a node in a [`Body`].
pub type NodeId = u32;

/// Index of a body in a [`Program`].
pub type BodyId = u32;

/// The launch. Every count is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Workgroups in one cluster, which is the initial expected count of the cluster barrier.
    #[must_use]
    pub const fn workgroups_per_cluster(self) -> u32 {
        self.workgroups / self.clusters
    }

    /// The cluster of a workgroup.
    #[must_use]
    pub const fn cluster_of(self, workgroup: u32) -> u32 {
        workgroup / self.workgroups_per_cluster()
    }
}

/// A node of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Node {
    /// An operation with the successors for outcome 0 and outcome 1, which are equal if the outcome decides nothing.
    Operation {
        /// The operation.
        operation: Operation,
        /// Successors by outcome.
        next: [NodeId; 2],
    },
    /// Any one of the successors, at least one.
    Choose {
        /// The alternatives, in the order of the scenario.
        next: Vec<NodeId>,
    },
    /// The lanes of the wave are divergent: the wave cannot perform its operation.
    Divergent,
    /// The agent ends.
    End,
}

/// The successors of a node.
#[must_use]
pub fn successors(node: &Node) -> &[NodeId] {
    match node {
        Node::Operation { next, .. } => next,
        Node::Choose { next } => next,
        Node::Divergent | Node::End => &[],
    }
}

impl Node {
    /// The node with renumbered successors: `places` maps old numbers to new ones.
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

/// The operations of one or more identical agents. Execution starts at node 0. A body may have cycles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// The nodes, numbered in the order of first discovery, so that equal behaviour gives equal bodies.
    pub nodes: Vec<Node>,
}

impl Body {
    /// The nodes that are reachable if the first node chooses this outcome, in order.
    #[must_use]
    pub fn reachable(&self, way: u32) -> Vec<NodeId> {
        let first = match self.nodes.first() {
            Some(Node::Choose { next }) => next.get(way as usize),
            _ => None,
        };
        let Some(&first) = first else { return (0..self.nodes.len() as NodeId).collect() };
        let (mut reached, mut open) = (alloc::vec![false; self.nodes.len()], alloc::vec![0, first]);
        while let Some(at) = open.pop() {
            if !core::mem::replace(&mut reached[at as usize], true) && at > 0 {
                open.extend(successors(&self.nodes[at as usize]));
            }
        }
        (0..).zip(reached).filter_map(|(at, reached)| reached.then_some(at)).collect()
    }

    /// The nodes that are reachable if the first node chooses this outcome.
    fn chosen(&self, way: u32) -> Self {
        let kept = self.reachable(way);
        let mut places = alloc::vec![0; self.nodes.len()];
        for (place, &node) in (0..).zip(&kept) {
            places[node as usize] = place;
        }
        let mut nodes: Vec<Node> =
            kept.iter().map(|&node| self.nodes[node as usize].moved(&places)).collect();
        if let Some(Node::Choose { next }) = nodes.first_mut()
            && let Some(&one) = next.get(way as usize)
        {
            *next = alloc::vec![one];
        }
        Self { nodes }
    }
}

/// One agent: a wave in its workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// Index of its workgroup.
    pub workgroup: u32,
    /// Index of the wave within the workgroup.
    pub wave: u32,
    /// Its body.
    pub body: BodyId,
}

/// The work-groups of an OpenCL launch that represent all others in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// Their numbers in the launch, in order.
    pub groups: Vec<u32>,
    /// The number of work-groups in the launch.
    pub all: u32,
    /// The accesses, by agent and in order, that can race with accesses of other work-groups. They include at least one pair
    /// of each two kinds that do. `None` if all can.
    pub across: Option<Vec<(usize, Access)>>,
}

/// A condition on a datum in memory. No agent writes the datum, and all agents read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fact {
    /// The number of the datum.
    pub datum: u32,
    /// Twice the smallest and the largest value that it may have: odd numbers are fractions.
    pub least: i64,
    /// See `least`.
    pub most: i64,
    /// Twice a value that it does not have.
    pub without: Option<i64>,
    /// Whether it may be NaN.
    pub no_number: bool,
}

impl Fact {
    /// Whether no datum satisfies both conditions.
    #[must_use]
    pub fn excludes(self, other: Self) -> bool {
        let is_only = |one: Self, other: Self| {
            one.least == one.most && other.without == Some(one.least) && !one.no_number
        };
        let apart = self.most < other.least || other.most < self.least;
        self.datum == other.datum
            && (apart && !(self.no_number && other.no_number)
                || is_only(self, other)
                || is_only(other, self))
    }
}

/// Bytes of a memory that are counted from a datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counted {
    /// The number of the datum, if no agent writes it and all agents read the same.
    pub datum: Option<u32>,
    /// The first byte, and the byte after the last, counted from the datum.
    pub first: i64,
    /// See `first`.
    pub end: i64,
    /// A power of two that divides the datum.
    pub multiple: i64,
}

impl Counted {
    /// Bytes that do not depend on data.
    const fn of(range: Range) -> Self {
        let (first, end) = (range.start as i64, range.end as i64);
        Self { datum: None, first, end, multiple: 1 << 31 }
    }

    /// Whether two have no byte in common, whatever the data are.
    fn is_apart(self, other: Self) -> bool {
        let same = self.datum.is_some() && self.datum == other.datum;
        if same && (self.end <= other.first || other.end <= self.first) {
            return true;
        }
        // Modulo a divisor of both data, only the numbers remain.
        let divisor = self.multiple.min(other.multiple);
        let apart = |one: Self, next: Self| {
            let after = (next.first - one.first).rem_euclid(divisor);
            one.end - one.first <= after
        };
        divisor > 1 && apart(self, other) && apart(other, self)
    }
}

/// What is known of an access that data decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct When {
    /// The conditions under which it happens.
    pub facts: Vec<Fact>,
    /// Its bytes, if their position depends on a datum.
    pub counted: Option<Counted>,
    /// Whether it happens whatever memory holds.
    pub always: bool,
}

impl When {
    /// Whether no data lead to a conflict of two accesses. Each has the bytes that it names without data.
    #[must_use]
    pub fn exclude(own: (Option<&Self>, Range), met: (Option<&Self>, Range)) -> bool {
        let bytes = |(when, range): (Option<&Self>, Range)| {
            when.and_then(|when| when.counted).unwrap_or(Counted::of(range))
        };
        let facts = |when: Option<&Self>| when.map_or_else(Vec::new, |when| when.facts.clone());
        let (ours, others) = (facts(own.0), facts(met.0));
        let excludes = |own: &Fact| others.iter().any(|other| own.excludes(*other));
        (own.0.is_some() || met.0.is_some()) && bytes(own).is_apart(bytes(met))
            || ours.iter().any(excludes)
    }

    /// The datum from which its bytes are counted.
    fn datum(when: Option<&Self>) -> Option<u32> {
        when.and_then(|when| when.counted)?.datum
    }
}

/// How asynchronous operations of an NVIDIA kernel access what ordinary stores write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Proxies {
    /// They do not, or nothing is known of fences.
    #[default]
    Apart,
    /// They may: the program has every `fence.proxy.async`, as [`crate::ptx::action::Action::Nothing`].
    Fenced,
    /// They do without a fence in between.
    Unfenced,
}

/// A whole program. Agents are in order of workgroup, then wave; each wave of the launch is an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// The launch, of the work-groups that are in the program.
    pub launch: Launch,
    /// The part of the launch that they are, if not all of it.
    pub part: Option<Part>,
    /// Number of plain barrier objects declared.
    pub plain_objects: u16,
    /// Declared memories.
    pub buffers: Vec<Buffer>,
    /// For each mbarrier object of a CTA (array elements separately), its initial count if it is initialised before the agents
    /// start; `None` if an agent initialises it.
    pub mbarriers: Vec<Option<i64>>,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Whether lanes of one wave have separate conflicting accesses that no operation of all lanes orders. A wave is one agent,
    /// so these are not judged against each other.
    pub lanes_meet: bool,
    /// Whether a barrier waits only for work-items that have not ended, as in CUDA and HIP.
    pub leaves: bool,
    /// Whether the first node of every body is a choice that the host makes once for all agents. Only OpenCL programs have one.
    pub host_chooses: bool,
    /// Whether the host could pass a value that the bodies do not cover.
    pub host_passes_more: bool,
    /// How asynchronous operations of a kernel access what ordinary stores write.
    pub proxies: Proxies,
    /// How many of the last outcomes of the host's choice only cover values that the others do not. They have all executions of
    /// these values, and may have more.
    pub covering: u32,
    /// Whether the text gives no number of work-groups, and several are assumed.
    pub groups_assumed: bool,
    /// Whether the size of a workgroup is a guess, and the host starts the kernel with a size that is not known.
    pub sizes_guessed: bool,
    /// Whether data in memory may exclude some paths of the bodies: a finding in them may be spurious.
    pub doubtful: bool,
    /// Whether only paths are excluded that data choose: what comes before a choice happens.
    pub doubts_choices: bool,
    /// Whether data may not allow what they decide, so that a finding on a path that they decide may be spurious.
    pub guesses: bool,
    /// What is known of accesses that data decide: see [`crate::operation::Operation::when`].
    pub whens: Vec<When>,
    /// Whether accesses conflict only if that is certain: bytes counted from a datum overlap only bytes counted from the same.
    pub only_certain: bool,
    /// For each value of the arguments for which data decide, the outcomes of the first choice among which only data choose;
    /// [`NO_CASE`] represents data that the bodies do not cover.
    pub by_data: Vec<Vec<u32>>,
    /// The bodies. Two bodies of one program are never equal, so agents with equal body ids behave identically.
    pub bodies: Vec<Body>,
}

/// A case of data that the bodies do not cover.
pub const NO_CASE: u32 = u32::MAX;

impl Program {
    /// The program of these agents and bodies: without objects of its own, memories and choices of the host.
    #[must_use]
    pub const fn of(launch: Launch, agents: Vec<Agent>, bodies: Vec<Body>) -> Self {
        Self {
            launch,
            part: None,
            plain_objects: 0,
            buffers: Vec::new(),
            mbarriers: Vec::new(),
            agents,
            lanes_meet: false,
            leaves: false,
            host_chooses: false,
            host_passes_more: false,
            proxies: Proxies::Apart,
            covering: 0,
            groups_assumed: false,
            sizes_guessed: false,
            doubtful: false,
            doubts_choices: false,
            guesses: false,
            whens: Vec::new(),
            only_certain: false,
            by_data: Vec::new(),
            bodies,
        }
    }

    /// The bytes of a declared memory that a range names, and the CTA whose instance it is, if the program says so.
    #[must_use]
    pub fn declared(&self, range: Range) -> (Range, Option<u32>) {
        match self.buffers.get(usize::from(range.buffer)) {
            Some(Buffer { owner, instance_of: Some(of), .. }) => {
                (Range { buffer: *of, ..range }, *owner)
            }
            _ => (range, None),
        }
    }

    /// The program in which the host makes one choice. Its bodies have only the nodes of [`Body::reachable`].
    #[must_use]
    pub fn chosen(&self, way: u32) -> Self {
        let bodies = self.bodies.iter().map(|body| body.chosen(way));
        Self {
            part: self.part.clone(),
            buffers: self.buffers.clone(),
            mbarriers: self.mbarriers.clone(),
            agents: self.agents.clone(),
            whens: self.whens.clone(),
            by_data: self.by_data.clone(),
            bodies: bodies.collect(),
            ..*self
        }
    }

    /// The program of the outcomes of the host's choice that have no other executions, and that of those that cover the rest;
    /// `None` if there are no such outcomes, or only such.
    #[must_use]
    pub fn exact_and_covering(&self) -> Option<(Self, Self)> {
        let outcomes = match self.agents.first().and_then(|_| self.body_of(0).nodes.first()) {
            Some(Node::Choose { next }) if self.host_chooses => next.len(),
            _ => 0,
        };
        let exact = outcomes.saturating_sub(self.covering as usize);
        let with = |(from, to): (usize, usize)| {
            let mut part = Self { covering: 0, ..self.clone() };
            for body in &mut part.bodies {
                if let Some(Node::Choose { next }) = body.nodes.first_mut() {
                    *next = next.get(from..to).unwrap_or_default().to_vec();
                }
            }
            part
        };
        (exact > 0 && exact < outcomes).then(|| (with((0, exact)), with((exact, outcomes))))
    }

    /// The node to which an agent moves when the host makes its choice.
    #[must_use]
    pub fn host_choice(&self, agent: usize, way: usize) -> NodeId {
        match self.body_of(agent).nodes.first() {
            Some(Node::Choose { next }) => next.get(way).or(next.last()).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// The maximum number of agents of a wave: its lanes if they are separate agents, otherwise 1. The last wave of a
    /// workgroup may have fewer.
    #[must_use]
    pub fn lanes_apart(&self) -> u32 {
        let apart = self.agents_of_workgroup() > self.launch.waves as usize;
        if apart { self.launch.lanes } else { 1 }
    }

    /// Agents of a workgroup, which are contiguous.
    #[must_use]
    pub fn agents_of_workgroup(&self) -> usize {
        self.agents.len() / self.launch.workgroups as usize
    }

    /// The program without the accesses whose occurrence or address depends on data; `None` if it has no such accesses. Its
    /// findings are independent of that data. Nodes keep their numbers.
    #[must_use]
    pub fn certain(&self) -> Option<Self> {
        let mut certain = self.clone();
        certain.only_certain = true;
        let nodes = certain.bodies.iter_mut().flat_map(|body| &mut body.nodes);
        let mut any = false;
        for node in nodes {
            if let Node::Operation { operation, .. } = node
                && operation.possible
            {
                any = true;
                if self.when(operation.when).is_some_and(|when| when.always) {
                    continue;
                }
                let certain = operation.action.certain();
                operation.action = match certain == operation.action {
                    true => operation.action.without_accesses(),
                    false => certain,
                };
            }
        }
        any.then_some(certain)
    }

    /// The program of the first work-group only. Agents keep their numbers.
    #[must_use]
    pub fn first_group(&self) -> Self {
        let mut first = self.clone();
        (first.launch.workgroups, first.launch.clusters) = (1, 1);
        first.agents.retain(|agent| agent.workgroup == 0);
        let agents = first.agents.len();
        first.part = Some(Part {
            groups: Vec::from([self.group_number(0).unwrap_or(0)]),
            all: self.part.as_ref().map_or(self.launch.workgroups, |part| part.all),
            across: None,
        });
        debug_assert!(agents > 0, "a work-group has agents");
        first
    }

    /// What is known of an access that data decide, by its index from 1.
    #[must_use]
    pub fn when(&self, at: u16) -> Option<&When> {
        self.whens.get(usize::from(at).checked_sub(1)?)
    }

    /// Whether data never make two accesses conflict, each given with the bytes that it names without data.
    #[must_use]
    pub fn exclude(&self, one: (u16, Range), other: (u16, Range)) -> bool {
        if one.0 == 0 && other.0 == 0 {
            return false;
        }
        let (own, met) = (self.when(one.0), self.when(other.0));
        let apart = self.only_certain && When::datum(own) != When::datum(met);
        apart || When::exclude((own, one.1), (met, other.1))
    }

    /// The program in which agents stop where data choose their path. Each of its executions begins one of the whole program.
    /// Nodes keep their numbers.
    #[must_use]
    pub fn before_choices(&self) -> Self {
        let mut before = self.certain().unwrap_or_else(|| self.clone());
        for body in &mut before.bodies {
            let first = usize::from(self.host_chooses);
            for node in body.nodes.iter_mut().skip(first) {
                if matches!(node, Node::Choose { next } if next.len() > 1) {
                    *node = Node::Divergent;
                }
            }
        }
        (before.doubtful, before.host_passes_more) = (false, true);
        before
    }

    /// The accesses of each agent before its first barrier and before control flow depends on data. They occur in every
    /// execution, and no barrier orders them. Nodes keep their numbers.
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

    /// The number of a work-group in the launch; `None` if it is the only one.
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
