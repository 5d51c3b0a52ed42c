//! Relations of executions of NVIDIA and OpenCL.
//!
//! Their documents do not define such relations. The graph shows the phases of an execution in AMDGPU's terms.
//! *Barrier-modification-order* is the order in which an object observes its modifications. *Barrier-participates-in*
//! leads from the operations that count for a phase to the waits that continue because the phase completes.
//! *Barrier-executes-before* is the closure of *program-order*, *barrier-participates-in* and the starts of copies. An
//! operation that arrives and waits is two nodes: the arrival, and the wait (`+wait`) once it continues. A copy is in
//! no agent's *program-order*; the instruction that starts it is before it. If memory is requested, accesses and copies
//! are also nodes, and *happens-before* is the knowledge of the machine (`memory.rs`).
//!
//! Nodes are in the order of execution, and every edge leads forwards.

pub(crate) mod memory;
#[cfg(test)]
mod tests;
mod why;

use self::memory::Touch;
use super::{Edge, ExecutionGraph, Explanation, GraphError, Operation, Pick, RelationId, Source};
use crate::judge::Broken;
use crate::replay::Kinds;
use crate::replay::{Replay, Steps};
use crate::scene::Scene;
use crate::space::Step;
use crate::step::label::label;
use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::mem::operation::Space;
use tidegate_model::rule::RuleId;

/// Largest number of related operations.
const MOST_OPERATIONS: usize = 256;
/// Largest number of steps of a generated execution.
const MOST_STEPS: usize = 4_000;

/// The vendor whose terms the sentences use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// The terms of PTX.
    Nvidia,
    /// The terms of OpenCL.
    Opencl,
}

impl Words {
    /// A note on what the relations mean for this vendor.
    const fn about(self) -> &'static str {
        match self {
            Self::Nvidia => {
                "The relations have the names of the AMDGPU model; PTX does not define them. Here they relate each phase to the operations that completed it and to the waits that returned on it. Happens-before relates accesses that an agent has observed."
            }
            Self::Opencl => {
                "The relations have the names of the AMDGPU model; OpenCL does not define them. Here they relate each barrier to the work-items that reached it and to those that it released. Happens-before relates accesses that a work-item has observed."
            }
        }
    }
}

/// Facts about an operation that the drawing does not show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    /// The index of its step in the execution; `None` for a wait that has not returned.
    pub step: Option<usize>,
    /// For a copy in flight, which is in no *program-order*: the operation that started it, if known.
    pub started: Option<Option<usize>>,
    /// Whether it changes its object.
    pub changes: bool,
    /// Whether it counts for its phase.
    pub counts: bool,
    /// For a wait that continued because of another agent's step, the index of that step in the execution.
    pub went: Option<usize>,
    /// The memory that it accesses.
    pub touches: Vec<Touch>,
}

/// An operation with its facts.
pub(crate) type Event = (Operation, Fact);

/// The operations of an execution as they are collected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub list: Vec<Event>,
    /// Names of the objects. An object that is initialised again counts as a new object.
    objects: Vec<String>,
    /// For each object, its index when it was first initialised.
    bases: Vec<usize>,
}

impl Events {
    /// Adds an object.
    pub(crate) fn add_object(&mut self, name: String) -> usize {
        let index = self.objects.len();
        self.bases.push(index);
        self.objects.push(name);
        index
    }

    /// Adds the object that another becomes when it is initialised again.
    pub(crate) fn renew(&mut self, object: usize) -> usize {
        let base = self.bases[object];
        let times = 1 + self.bases.iter().filter(|&&other| other == base).count();
        let index = self.add_object(format!("{} (init {times})", self.objects[base]));
        self.bases[index] = base;
        index
    }

    /// Adds an operation; returns its index.
    pub(crate) fn add(&mut self, (mut operation, fact): Event) -> usize {
        let own = |(shown, _): &&Event| shown.agent == operation.agent;
        operation.place = self.list.iter().filter(own).count();
        // A copy in a loop has the same key each time.
        let key = |(shown, _): &&Event| shown.key.split('#').next() == Some(&*operation.key);
        let used = 1 + self.list.iter().filter(key).count();
        if used > 1 {
            operation.key.push_str(&format!("#{used}"));
        }
        self.list.push((operation, fact));
        self.list.len() - 1
    }

    /// Adds the operation of a step that breaks a rule, unless it is present.
    pub(crate) fn add_breaking<M: Kinds>(
        &mut self,
        scene: &Scene,
        replay: &Replay<M>,
        step: usize,
        rule: Option<RuleId>,
    ) {
        let done = &replay.done[step];
        let known = self.list.iter().any(|(_, fact)| fact.step == Some(step));
        if known || rule.is_none_or(|rule| !done.broke.contains(&rule)) {
            return;
        }
        let agent = replay.machine.agent_of(done);
        let node = &replay.machine.context().program.body_of(agent).nodes[done.node as usize];
        let kind = replay.machine.kind(node);
        let shown = Operation { kind, ..operation(scene, replay, agent, Some(step)) };
        let _ = self.add((shown, Fact { step: Some(step), ..Fact::default() }));
    }

    /// Adds the wait of an operation that arrives and waits; `went` is the phase whose completion released it, and the
    /// step that completed the phase.
    pub(crate) fn add_wait(&mut self, arrival: usize, went: Option<(u32, usize)>) -> usize {
        let (operation, fact) = self.list[arrival].clone();
        let (phase, went) = went.unzip();
        let pending = phase.is_none();
        let wait = Operation {
            label: format!("wait of {}", operation.label),
            key: format!("{}+wait", operation.key),
            kind: "wait",
            phase,
            completes: false,
            pending,
            ..operation
        };
        self.add((wait, Fact { step: fact.step.filter(|_| !pending), went, ..Fact::default() }))
    }
}

/// A performed step as an operation; without one, the next operation of its agent.
pub(crate) fn operation<M: Steps>(
    scene: &Scene,
    replay: &Replay<M>,
    agent: usize,
    step: Option<usize>,
) -> Operation {
    let machine = &replay.machine;
    let done = step.map(|step| &replay.done[step]);
    let node = done.map_or_else(|| machine.node_of(replay.state(), agent), |done| done.node);
    let flying = done.and_then(|done| machine.flying(scene, done));
    let text = || {
        label(scene, agent, node, &machine.context().program.body_of(agent).nodes[node as usize])
    };
    let label = flying.unwrap_or_else(text);
    Operation {
        agent,
        place: 0,
        label: if label.is_empty() { "end".to_owned() } else { label },
        line: scene.source(agent, node).span.line,
        kind: "other",
        key: done.map_or_else(|| replay.next_key(Step { agent, way: 0 }), |done| replay.key(done)),
        object: None,
        phase: None,
        completes: false,
        pending: step.is_none(),
    }
}

/// Performs a witness; without one, a whole execution.
///
/// # Errors
/// When there is no such finding, or no end of the execution is found.
pub(crate) fn perform<M: Steps>(
    machine: M,
    broken: &[Option<&Broken>],
    pick: Pick,
) -> Result<(Replay<M>, Option<RuleId>), GraphError>
where
    M::State: PartialEq,
{
    let finding = pick.of(broken)?;
    let mut replay = Replay::new(machine);
    match finding {
        Some(broken) => drop(replay.perform_all(&broken.path)),
        None => complete(&mut replay)?,
    }
    Ok((replay, finding.map(|broken| broken.rule)))
}

/// Performs the first possible step until no agent can continue.
fn complete<M: Steps>(replay: &mut Replay<M>) -> Result<(), GraphError> {
    for _ in 0..MOST_STEPS {
        let state = replay.state();
        let mut actors = 0..replay.machine.actors(state);
        let Some(agent) = actors.find(|&actor| replay.machine.ways(state, actor) > 0) else {
            return Ok(());
        };
        let _ = replay.perform(Step { agent, way: 0 });
    }
    Err(GraphError::TooLarge)
}

/// The data of an execution that explains edges and missing edges.
#[derive(Clone, Debug)]
pub(super) struct Replayed {
    words: Words,
    facts: Vec<Fact>,
    bases: Vec<usize>,
    fault: Option<usize>,
}

/// The graph of the operations of an execution: the witness of the rule, if one is given. `whole` includes the edges that
/// follow from others.
pub(crate) fn graph_of<M: Steps>(
    scene: &Scene,
    replay: &Replay<M>,
    (words, events): (Words, Events),
    rule: Option<RuleId>,
    whole: bool,
) -> Option<ExecutionGraph> {
    let breaks = |rule: RuleId| replay.done.iter().position(|done| done.broke.contains(&rule));
    let broke = rule.and_then(breaks);
    let Events { list, objects, bases, .. } = events;
    if list.len() > MOST_OPERATIONS {
        return None;
    }
    let (operations, facts): (Vec<Operation>, Vec<Fact>) = list.into_iter().unzip();
    let agents = operations.iter().map(|it| it.agent).max().map_or(0, |last| last + 1);
    let agents = agents.max(scene.context()?.program.agents.len());
    let at = |fact: &Fact| broke.is_some() && fact.step == broke;
    let fault = facts.iter().position(at);
    let mut graph = DiGraph::new();
    for it in operations {
        let _ = graph.add_node(it);
    }
    let mut graph = ExecutionGraph {
        graph,
        agents: (0..agents).map(|agent| scene.agent_name(agent).to_owned()).collect(),
        objects,
        rule: rule.map(|rule| rule.get().id.to_owned()),
        choices: 1,
        listed: super::choices::Choices::default(),
        source: Source::Replayed(Replayed { words, facts, bases, fault }),
    };
    add_edges(&mut graph, whole);
    Some(graph)
}

/// The relations that have edges.
const RELATED: [RelationId; 7] = [
    RelationId::ProgramOrder,
    RelationId::ThreadBarrierOrder,
    RelationId::ModificationOrder,
    RelationId::ParticipatesIn,
    RelationId::ExecutesBefore,
    RelationId::HappensBeforeLocal,
    RelationId::HappensBeforeGlobal,
];

fn add_edges(graph: &mut ExecutionGraph, whole: bool) {
    let names = graph.names();
    let Source::Replayed(replayed) = &graph.source else { return };
    let told = Explained { graph, replayed, names: &names };
    let count = names.len();
    let mut edges = Vec::new();
    for relation in RELATED {
        let closure = relation == RelationId::ExecutesBefore;
        let closed = if closure { told.closed() } else { Vec::new() };
        let has = |from: usize, to: usize| match closed.get(from) {
            Some(row) => row[to],
            None => told.has(relation, from, to),
        };
        for from in 0..count {
            let paths = if closure { told.paths(from, count) } else { Vec::new() };
            for to in (from + 1..count).filter(|&to| has(from, to)) {
                let between = |by: usize| has(from, by) && has(by, to);
                let covering = !relation.is_order() || !(from + 1..to).any(between);
                if covering || whole {
                    let why = match Some(&paths).filter(|_| closure).and_then(|all| path(all, to)) {
                        Some(path) => told.along(&path),
                        None => told.why(relation, from, to),
                    };
                    let clause = match why.clauses.as_slice() {
                        [one] => one,
                        _ => why::EXECUTES_BEFORE,
                    };
                    let reason = why.because.join(" ");
                    edges.push((from, to, Edge { relation, covering, clause, reason }));
                }
            }
        }
    }
    for (from, to, edge) in edges {
        let _ = graph.graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
    }
}

/// A graph whose edges can be explained.
struct Explained<'a> {
    graph: &'a ExecutionGraph,
    replayed: &'a Replayed,
    names: &'a [String],
}

impl Explained<'_> {
    fn operation(&self, index: usize) -> &Operation {
        &self.graph.graph[NodeIndex::new(index)]
    }

    fn fact(&self, index: usize) -> &Fact {
        &self.replayed.facts[index]
    }

    /// The object of an operation. An object that was initialised again is the same one.
    fn base(&self, index: usize) -> Option<usize> {
        self.operation(index).object.map(|object| self.replayed.bases[object])
    }

    /// Whether a relation has an edge between two operations that does not follow from other edges.
    fn has(&self, relation: RelationId, from: usize, to: usize) -> bool {
        let (one, other) = (self.operation(from), self.operation(to));
        let (first, second) = (self.fact(from), self.fact(to));
        let flies = first.started.is_some() || second.started.is_some();
        let follows = || from < to && one.agent == other.agent && !flies;
        match relation {
            RelationId::ProgramOrder => follows(),
            RelationId::ThreadBarrierOrder => {
                follows() && one.object.is_some() && self.base(from) == self.base(to)
            }
            RelationId::ModificationOrder => {
                let same = one.object.is_some() && self.base(from) == self.base(to);
                from < to && same && first.changes && second.changes
            }
            RelationId::ParticipatesIn => {
                let phase = one.phase.is_some() && one.phase == other.phase;
                first.counts && is_passed(other) && phase && one.object == other.object
            }
            RelationId::HappensBeforeLocal => self.happens(Space::Local, from, to),
            RelationId::HappensBeforeGlobal => self.happens(Space::Global, from, to),
            _ => false,
        }
    }

    /// Whether two operations are related by a single step of *barrier-executes-before*.
    fn step(&self, from: usize, to: usize) -> bool {
        self.fact(to).started == Some(Some(from))
            || self.completes(from, to)
            || self.has(RelationId::ProgramOrder, from, to)
            || self.has(RelationId::ParticipatesIn, from, to)
    }

    /// Whether an operation of a copy on an object completes its bytes.
    fn completes(&self, copy: usize, to: usize) -> bool {
        let (first, second) = (self.fact(copy), self.fact(to));
        copy < to
            && !first.touches.is_empty()
            && matches!(first.started, Some(Some(_)))
            && first.started == second.started
            && second.counts
    }

    /// The closure *barrier-executes-before*.
    fn closed(&self) -> Vec<Vec<bool>> {
        let count = self.names.len();
        let mut closed = alloc::vec![alloc::vec![false; count]; count];
        for from in (0..count).rev() {
            for by in from + 1..count {
                if !closed[from][by] && self.step(from, by) {
                    closed[from][by] = true;
                    let after = closed[by].clone();
                    closed[from].iter_mut().zip(after).for_each(|(to, other)| *to |= other);
                }
            }
        }
        closed
    }

    /// For every operation up to `last`, its predecessor on a shortest path from `from`.
    fn paths(&self, from: usize, last: usize) -> Vec<Option<usize>> {
        let mut before: Vec<Option<usize>> = alloc::vec![None; self.names.len()];
        let mut waiting = VecDeque::from([from]);
        while let Some(at) = waiting.pop_front() {
            let ahead = before.iter_mut().enumerate().take(last + 1).skip(at + 1);
            for (next, from) in ahead.filter(|(_, from)| from.is_none()) {
                if self.step(at, next) {
                    *from = Some(at);
                    waiting.push_back(next);
                }
            }
        }
        before
    }
}

/// The path to an operation, if there is one.
fn path(before: &[Option<usize>], to: usize) -> Option<Vec<usize>> {
    let mut path = alloc::vec![to];
    while let Some(at) = path.last().and_then(|&last| before[last]) {
        path.push(at);
    }
    path.reverse();
    (path.len() > 1).then_some(path)
}

/// Whether it is a wait that has returned.
fn is_passed(operation: &Operation) -> bool {
    operation.kind == "wait" && !operation.pending
}

impl Replayed {
    /// A note on what the relations mean for this vendor.
    pub(super) const fn about(&self) -> &'static str {
        self.words.about()
    }

    /// Whether accesses to memory are among the operations.
    pub(super) fn has_memory(&self) -> bool {
        self.facts.iter().any(|fact| !fact.touches.is_empty())
    }

    /// The operation that breaks the rule.
    pub(super) const fn fault(&self) -> Option<usize> {
        self.fault
    }

    /// The index of the step of an operation.
    pub(super) fn step_of(&self, index: usize) -> Option<usize> {
        self.facts.get(index).and_then(|fact| fact.step)
    }

    /// Whether two operations are related, and why or why not.
    pub(super) fn why(
        &self,
        graph: &ExecutionGraph,
        relation: RelationId,
        from: usize,
        to: usize,
    ) -> Explanation {
        Explained { graph, replayed: self, names: &graph.names() }.why(relation, from, to)
    }
}

/// Why a relation has no edge here; `None` if it can have edges.
pub(super) fn lacks(relation: RelationId) -> Option<String> {
    let why = match relation {
        RelationId::JoinedBefore => "these barriers have no joins",
        RelationId::PhaseWith => "only the AMDGPU model defines it, for joins",
        RelationId::SynchronizesWith => {
            "it relates fences of the AMDGPU model; use happens-before instead"
        }
        _ => return None,
    };
    Some(format!("{} has no edge here: {why}.", relation.name()))
}
