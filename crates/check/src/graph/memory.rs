//! Memory in the graph of an execution: *synchronizes-with* and *happens-before*, with the reason of every edge and of
//! every missing one.
//!
//! *Happens-before* is one relation for each address space: the closure of *program-order* and of *synchronizes-with*
//! in that space. An async copy is a separate operation besides the instruction that starts it; its edges depend on the
//! reading `async.v1-v2`.

use super::{Edge, ExecutionGraph, Explanation, GraphError, OfText, Operation, RelationId, Source};
use crate::memory::gap::apart;
use crate::memory::marks::completion;
use crate::memory::tell::missing;
use crate::memory::trail::Trail;
use crate::replay::amdgpu::Replay;
use crate::replay::key;
use crate::scene::Scene;
use crate::space::Step;
use crate::step::memory::{kind, synchronizes};
use crate::step::view::Synchronization;
use crate::tell::notes;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::axioms::relation::each;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Fence, Memory, Space};
use tidegate_model::mem::order::reach;
use tidegate_model::ordered::OrderedMap;

/// Largest number of related operations, including those on memory.
pub(super) const MOST_OPERATIONS: usize = 256;

const SYNCHRONIZES: &str = "mem.synchronizes-with";
const PROGRAM_ORDER: &str = "mem.happens-before.program-order";
const BY_FENCES: &str = "mem.happens-before.synchronizes-with";
const TRANSITIVE: &str = "mem.happens-before.transitive";
const STARTS: &str = "async.starts";
const COMPLETED: &str = "async.completed-at";

/// The meaning of a node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// A step of the execution.
    Step(usize),
    /// The copy that a step starts.
    Copy(usize),
    /// A wait that is not passed: it comes after everything of its agent.
    Pending,
}

/// The relations on memory of one execution.
#[derive(Clone, Debug)]
pub(super) struct MemoryRelations {
    scene: Scene,
    replay: Rc<Replay>,
    /// For each step that is a wait, the number of the phase that it depends on here.
    settled: OrderedMap<usize, u32>,
    nodes: Vec<Node>,
    synchronizes: OrderedMap<(usize, usize), Synchronization>,
    /// Edges of *happens-before* that follow from no other, with the address spaces in which they count.
    base: OrderedMap<(usize, usize), Base>,
}

/// An edge that *happens-before* is made of.
#[derive(Clone, Debug)]
struct Base {
    clause: &'static str,
    why: String,
    local: bool,
    global: bool,
}

impl Base {
    const fn counts(&self, relation: RelationId) -> bool {
        match relation {
            RelationId::HappensBeforeLocal => self.local,
            _ => self.global,
        }
    }
}

/// Adds the operations on memory to a graph, and the edges between them.
pub(super) fn add(graph: &mut ExecutionGraph, scene: &Scene) -> Result<(), GraphError> {
    let Source::Text(text) = &graph.source else { return Ok(()) };
    let Some(replay) = text.replay.clone() else { return Err(GraphError::NoInterleaving) };
    if text.memory.is_some() {
        return Ok(());
    }
    let steps = steps_of(text, &replay);
    let settled = settled(text, &steps);
    let trail = Trail::settled(&replay, |step| settled.get(&step).copied());
    let mut nodes: Vec<Node> =
        steps.iter().map(|step| step.map_or(Node::Pending, Node::Step)).collect();
    for (step, memory) in
        (0..replay.done.len()).filter_map(|step| Some((step, trail.memory(step)?)))
    {
        if matches!(memory, Memory::Enter | Memory::Leave) {
            continue;
        }
        nodes.push(Node::Step(step));
        if matches!(memory, Memory::Copy { .. }) {
            nodes.push(Node::Copy(step));
        }
    }
    if nodes.len() > MOST_OPERATIONS {
        return Err(GraphError::TooLarge);
    }
    for &node in &nodes[steps.len()..] {
        let _ = graph.graph.add_node(operation(scene, &trail, node));
    }
    places(graph, &nodes);
    program_order(graph, &nodes);
    let found = synchronizes(scene, &trail);
    let at = |step: usize| nodes.iter().position(|node| *node == Node::Step(step));
    let synchronizes: OrderedMap<(usize, usize), Synchronization> = found
        .into_iter()
        .filter_map(|one| Some(((at(one.release)?, at(one.acquire)?), one)))
        .collect();
    let base = base(graph, &trail, &nodes, &synchronizes);
    drop(trail);
    let scene = scene.clone();
    let memory = MemoryRelations { scene, replay, settled, nodes, synchronizes, base };
    add_edges(graph, &memory);
    if let Source::Text(text) = &mut graph.source {
        text.memory = Some(memory);
    }
    Ok(())
}

/// For each barrier operation its step; none for a wait that is not passed.
fn steps_of(text: &OfText, replay: &Replay) -> Vec<Option<usize>> {
    let steps = replay.done.iter().enumerate();
    let known: OrderedMap<(usize, u32), usize> =
        steps.map(|(step, done)| ((done.step.agent, done.ordinal), step)).collect();
    let events = text.execution.events.iter().enumerate();
    events
        .map(|(index, event)| {
            let step = known.get(&(event.agent, event.ordinal)).copied();
            step.filter(|_| !text.execution.is_pending(index))
        })
        .collect()
}

fn settled(text: &OfText, steps: &[Option<usize>]) -> OrderedMap<usize, u32> {
    let of = text.assignment.iter().filter(|part| each(part.set).next().is_some());
    of.filter_map(|part| Some((steps[part.wait]?, part.phase as u32))).collect()
}

fn operation(scene: &Scene, trail: &Trail<'_>, node: Node) -> Operation {
    let (step, copies) = match node {
        Node::Copy(step) => (step, true),
        Node::Step(step) => (step, false),
        Node::Pending => (0, false),
    };
    let done = &trail.replay.done[step];
    let source = scene.source(done.step.agent, done.node);
    let label = if copies { format!("copy of {}", source.text) } else { source.text };
    let program = &trail.replay.machine.context.program;
    let key = key(program, Step { agent: done.step.agent, way: 0 }, done.node, done.ordinal);
    Operation {
        agent: done.step.agent,
        place: 0,
        label,
        line: source.span.line,
        kind: if copies { "async-copy" } else { trail.memory(step).map_or("other", kind) },
        key: if copies { format!("{key}+copy") } else { key },
        object: None,
        phase: None,
        completes: false,
        pending: false,
    }
}

/// Gives every operation its place among all of its agent.
fn places(graph: &mut ExecutionGraph, nodes: &[Node]) {
    let agent = |index: usize| graph.graph[NodeIndex::new(index)].agent;
    let rank = |node: &Node| match node {
        Node::Step(step) => (*step, 0),
        Node::Copy(step) => (*step, 1),
        Node::Pending => (usize::MAX, 0),
    };
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&index| (agent(index), rank(&nodes[index]), index));
    let mut places = alloc::vec![0; nodes.len()];
    for pair in order.windows(2) {
        places[pair[1]] = if agent(pair[0]) == agent(pair[1]) { places[pair[0]] + 1 } else { 0 };
    }
    for (index, place) in places.into_iter().enumerate() {
        graph.graph[NodeIndex::new(index)].place = place;
    }
}

/// Whether one is before the other in *program-order*. A copy is in no program-order.
fn is_before(graph: &DiGraph<Operation, Edge>, nodes: &[Node], from: usize, to: usize) -> bool {
    let (a, b) = (&graph[NodeIndex::new(from)], &graph[NodeIndex::new(to)]);
    let copy = |index: usize| matches!(nodes[index], Node::Copy(_));
    a.agent == b.agent && a.place < b.place && !copy(from) && !copy(to)
}

fn program_order(graph: &mut ExecutionGraph, nodes: &[Node]) {
    graph.graph.retain_edges(|graph, edge| graph[edge].relation != RelationId::ProgramOrder);
    for from in 0..nodes.len() {
        for to in (0..nodes.len())
            .filter(|&to| is_before(&graph.graph, nodes, from, to))
            .collect::<Vec<_>>()
        {
            let between = |by: usize| {
                is_before(&graph.graph, nodes, from, by) && is_before(&graph.graph, nodes, by, to)
            };
            let edge = Edge {
                relation: RelationId::ProgramOrder,
                covering: !(0..nodes.len()).any(between),
                clause: "amd.program-order",
                reason: format!(
                    "{} is before {} in program-order.",
                    graph.name(from),
                    graph.name(to)
                ),
            };
            let _ = graph.graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
        }
    }
}

/// The edges that *happens-before* is the closure of.
fn base(
    graph: &ExecutionGraph,
    trail: &Trail<'_>,
    nodes: &[Node],
    synchronizes: &OrderedMap<(usize, usize), Synchronization>,
) -> OrderedMap<(usize, usize), Base> {
    let mut base = OrderedMap::new();
    let mut add = |from, to, clause, why: String| {
        let _ = base.insert((from, to), Base { clause, why, local: true, global: true });
    };
    for from in 0..nodes.len() {
        for to in 0..nodes.len() {
            if is_before(&graph.graph, nodes, from, to) {
                let why =
                    format!("{} is before {} in program-order.", graph.name(from), graph.name(to));
                add(from, to, PROGRAM_ORDER, why);
            }
        }
    }
    for (copy, &node) in nodes.iter().enumerate() {
        let Node::Copy(step) = node else { continue };
        for (other, &at) in nodes.iter().enumerate() {
            let Node::Step(at) = at else { continue };
            if at == step {
                add(
                    other,
                    copy,
                    STARTS,
                    format!("{} starts {}.", graph.name(other), graph.name(copy)),
                );
            } else if completes(trail, step, at) {
                let why = format!("{} is completed at {}.", graph.name(copy), graph.name(other));
                add(copy, other, COMPLETED, why);
            }
        }
    }
    for (&(from, to), one) in synchronizes {
        let has = |space: &str| one.spaces.iter().any(|name| name == space);
        let (local, global) = (has("local"), has("global"));
        let _ = base
            .insert((from, to), Base { clause: BY_FENCES, why: one.why.clone(), local, global });
    }
    base
}

/// Whether a copy happens-before a step of its own agent. In revision 2, it happens before the wait that completes it;
/// in revision 1, once completed, before operations that overlap it.
fn completes(trail: &Trail<'_>, copy: usize, step: usize) -> bool {
    if trail.agent(copy) != trail.agent(step) || step <= copy {
        return false;
    }
    if trail.replay.machine.orders_at_wait() {
        return completion(trail, copy, trail.replay.done.len()) == Ok(step);
    }
    let of = |step: usize| trail.action(step).into_iter().flat_map(accesses).collect::<Vec<_>>();
    let own = of(copy);
    completion(trail, copy, step).is_ok()
        && of(step).iter().any(|other| own.iter().any(|one| one.conflicts(*other)))
}

fn add_edges(graph: &mut ExecutionGraph, relations: &MemoryRelations) {
    for (&(from, to), one) in &relations.synchronizes {
        let edge = Edge {
            relation: RelationId::SynchronizesWith,
            covering: true,
            clause: SYNCHRONIZES,
            reason: format!("{} In {}.", one.why, spaces(one)),
        };
        let _ = graph.graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
    }
    for relation in [RelationId::HappensBeforeLocal, RelationId::HappensBeforeGlobal] {
        let count = relations.nodes.len();
        let paths: Vec<Vec<Option<usize>>> =
            (0..count).map(|from| relations.paths(relation, from)).collect();
        let has = |from: usize, to: usize| paths[from][to].is_some();
        for (from, before) in paths.iter().enumerate() {
            for to in (0..count).filter(|&to| has(from, to)) {
                let path = back(before, from, to);
                let edge = Edge {
                    relation,
                    covering: !(0..count).any(|by| has(from, by) && has(by, to)),
                    clause: relations.clause(&path),
                    reason: relations.sentences(&path).join(" "),
                };
                let _ = graph.graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
            }
        }
    }
}

/// The address spaces in which two fences synchronize, in words.
fn spaces(one: &Synchronization) -> String {
    match one.spaces.as_slice() {
        [space] => format!("the {space} address space"),
        _ => "the local and the global address space".to_owned(),
    }
}

/// The path by which a search reached an operation, from the first.
fn back(before: &[Option<usize>], from: usize, to: usize) -> Vec<usize> {
    let mut path = alloc::vec![to];
    let mut at = to;
    while let Some(previous) = before[at].filter(|_| at != from) {
        path.push(previous);
        at = previous;
    }
    path.reverse();
    path
}

impl MemoryRelations {
    /// A shortest way to every operation that one happens-before: the operation before it on that way.
    fn paths(&self, relation: RelationId, from: usize) -> Vec<Option<usize>> {
        let mut before = alloc::vec![None; self.nodes.len()];
        let mut waiting = alloc::collections::VecDeque::from([from]);
        while let Some(at) = waiting.pop_front() {
            for (&(_, to), base) in self.base.range((at, 0)..=(at, usize::MAX)) {
                if base.counts(relation) && before[to].is_none() && to != from {
                    before[to] = Some(at);
                    waiting.push_back(to);
                }
            }
        }
        before
    }

    fn clause(&self, path: &[usize]) -> &'static str {
        match path {
            [from, to] => self.base[&(*from, *to)].clause,
            _ => TRANSITIVE,
        }
    }

    fn sentences(&self, path: &[usize]) -> Vec<String> {
        path.windows(2).map(|pair| self.base[&(pair[0], pair[1])].why.clone()).collect()
    }

    /// Whether two operations are related, and why or why not; `names` are those of all operations.
    pub(super) fn why(
        &self,
        names: &[String],
        relation: RelationId,
        from: usize,
        to: usize,
    ) -> Explanation {
        let yes = |clauses, because| Explanation { holds: true, clauses, because };
        let no =
            |clause, because| Explanation { holds: false, clauses: alloc::vec![clause], because };
        if relation == RelationId::SynchronizesWith {
            return match self.synchronizes.get(&(from, to)) {
                Some(one) => yes(
                    alloc::vec![SYNCHRONIZES],
                    alloc::vec![format!("{} In {}.", one.why, spaces(one))],
                ),
                None => no(SYNCHRONIZES, alloc::vec![self.not_synchronized(names, from, to)]),
            };
        }
        let paths = self.paths(relation, from);
        if paths.get(to).copied().flatten().is_some() {
            let path = back(&paths, from, to);
            let clauses = path.windows(2).map(|pair| self.base[&(pair[0], pair[1])].clause);
            return yes(clauses.collect(), self.sentences(&path));
        }
        no(TRANSITIVE, self.unordered(names, relation, from, to))
    }

    /// Why two operations are unordered in an address space.
    fn unordered(
        &self,
        names: &[String],
        relation: RelationId,
        from: usize,
        to: usize,
    ) -> Vec<String> {
        let (first, second) = (&names[from], &names[to]);
        if self.paths(relation, to)[from].is_some() {
            return alloc::vec![format!("The order is reversed: {second} happens-before {first}.")];
        }
        let step = |index: usize| match self.nodes[index] {
            Node::Step(step) => Some((step, false)),
            Node::Copy(step) => Some((step, true)),
            Node::Pending => None,
        };
        let none = format!(
            "No path of program-order and synchronizes-with leads from {first} to {second}."
        );
        let space = match relation {
            RelationId::HappensBeforeLocal => Space::Local,
            _ => Space::Global,
        };
        match (step(from), step(to)) {
            (Some((one, copy)), Some((other, _))) if one < other => {
                let trail = self.trail();
                let mut because = alloc::vec![none];
                let facts = missing(&self.scene, &trail, (one, copy), other, space);
                because.extend(notes(&self.scene, &facts).into_iter().map(|note| note + "."));
                because
            }
            (Some(_), Some(_)) => {
                alloc::vec![
                    none,
                    format!("In this execution, {first} is performed after {second}.")
                ]
            }
            _ => alloc::vec![none],
        }
    }

    /// Why two operations do not synchronize: the first condition that fails.
    fn not_synchronized(&self, names: &[String], from: usize, to: usize) -> String {
        let trail = self.trail();
        let (first, second) = (&names[from], &names[to]);
        let fence = |index: usize| match self.nodes[index] {
            Node::Step(step) => match trail.memory(step) {
                Some(Memory::Fence(fence)) => Some((step, fence)),
                _ => None,
            },
            _ => None,
        };
        let (Some((release, one)), Some((acquire, other))) = (fence(from), fence(to)) else {
            return format!("Only fences synchronize: {first} and {second} are not both fences.");
        };
        let (giver, taker) = (trail.agent(release), trail.agent(acquire));
        if !one.release || !other.acquire {
            let (which, what) =
                if one.release { (second, "an acquire") } else { (first, "a release") };
            return format!("{which} is not {what} fence.");
        }
        if giver == taker {
            return "Both are of one wave; program-order orders them.".to_owned();
        }
        let far = apart(&trail, giver, taker);
        let fault = |fence: Fence, name: &String| {
            let reaches =
                reach(fence.scope, fence.one_as, fence.spaces).is_some_and(|reach| reach >= far);
            (!reaches).then(|| {
                if fence.one_as {
                    format!("{name} is one-as: it synchronizes with no other agent.")
                } else {
                    format!("The scope of {name} does not include the other wave.")
                }
            })
        };
        if let Some(fault) = fault(one, first).or_else(|| fault(other, second)) {
            return fault;
        }
        let both = [Space::Local, Space::Global].into_iter();
        if !both.into_iter().any(|space| one.spaces.contains(space) && other.spaces.contains(space))
        {
            return "The fences have no common address space.".to_owned();
        }
        self.no_path(&trail, (first, release), (second, acquire))
    }

    /// Why no arrive after a release is before a wait before an acquire.
    fn no_path(
        &self,
        trail: &Trail<'_>,
        (first, release): (&String, usize),
        (second, acquire): (&String, usize),
    ) -> String {
        let end = trail.replay.done.len();
        let arrives =
            || trail.of(trail.agent(release), release, end).any(|step| trail.arrives(step));
        let waits = || trail.of(trail.agent(acquire), 0, acquire).any(|step| trail.waits(step));
        if !arrives() {
            format!("The wave of {first} has no arrive after it; a drop releases nothing.")
        } else if !waits() {
            format!("The wave of {second} returns from no wait before it.")
        } else {
            format!("No arrive after {first} is barrier-executes-before a wait before {second}.")
        }
    }

    fn trail(&self) -> Trail<'_> {
        Trail::settled(&self.replay, |step| self.settled.get(&step).copied())
    }
}
