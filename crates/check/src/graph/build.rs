//! Builds the graph of an execution of a scenario.

use super::choices::Choices;
use super::reason;
use super::{Edge, ExecutionGraph, GraphError, OfText, Operation, Pick, Source};
use crate::judge::{self, KeepGoing};
use crate::participates;
use crate::replay::amdgpu::Replay;
use crate::replay::key;
use crate::scene::Scene;
use crate::space::Step;
use crate::subject::Subject;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::axioms::course::Course;
use tidegate_model::axioms::engine::WORK;
use tidegate_model::axioms::event::Event;
use tidegate_model::axioms::execution::Execution;
use tidegate_model::axioms::meter::Meter;
use tidegate_model::axioms::participates::{Assignment, Candidate};
use tidegate_model::axioms::phase::Part;
use tidegate_model::axioms::phase::Phase;
use tidegate_model::axioms::relation::one;
use tidegate_model::axioms::relations::{RelationId, Relations};
use tidegate_model::axioms::text::Text;
use tidegate_model::instance::NO_INSTANCE;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;

/// Largest number of phase choices that are counted.
const MOST_CHOICES: usize = 1_000;
/// Largest product of steps and agents of a generated execution.
const MOST_STEPS: usize = 1_000_000;

/// The graph of one execution of a scenario of AMDGPU.
///
/// # Errors
/// If there is no such finding, or the execution is too large.
pub(crate) fn of_amdgpu(
    subject: Subject<'_>,
    pick: Pick,
    keep_going: KeepGoing<'_>,
) -> Result<ExecutionGraph, GraphError> {
    let Subject { scene, options, .. } = subject;
    let spec = subject.spec().ok_or(GraphError::TooLarge)?;
    let broken = judge::by_text(&spec, options, true, keep_going).broken;
    let finding = pick.of(&broken.iter().map(Some).collect::<Vec<_>>())?;
    let mut replay = Replay::new(spec);
    match finding {
        Some(broken) => replay.perform_all(&broken.path),
        None => complete(&mut replay).ok_or(GraphError::TooLarge)?,
    };
    let graph = of_replay(scene, replay, finding.map(|broken| broken.rule));
    let graph = graph.ok_or(GraphError::TooLarge)?;
    if pick.memory { graph.with_memory(scene) } else { Ok(graph) }
}

/// The graph of a whole execution of AMDGPU that matches no interleaving; `None` if there is none, or if the program is too
/// large to search.
pub(crate) fn of_outside(
    scene: &Scene,
    spec: &Spec,
    without: u64,
    keep_going: KeepGoing<'_>,
) -> Option<ExecutionGraph> {
    let found = participates::enumerate(spec, true, without, keep_going)?;
    let (rule, sample) = found.broken_outside.into_iter().next_back()?;
    let rule = rule.map(|rule| rule.get().id.to_owned());
    let parts = Parts { assignment: sample.assignment, rule };
    Some(of_execution(scene, text_of(spec), sample.execution, parts))
}

/// Performs steps until no agent can continue, always the first possible one; `None` for an infinite execution or too
/// many operations.
fn complete(replay: &mut Replay) -> Option<usize> {
    let text = text_of(&replay.machine);
    let mut course = Course::new(&text);
    let agents = replay.state().agents.len();
    let mut seen = OrderedSet::new();
    for steps in 0..MOST_STEPS / agents.max(1) {
        let state = replay.state();
        let mut packed = Vec::new();
        replay.machine.pack(state, &mut packed);
        if !seen.insert(packed) {
            return None;
        }
        let Some(agent) = (0..agents).find(|&agent| replay.machine.ways(state, agent) > 0) else {
            return Some(steps);
        };
        let _ = replay.perform(Step { agent, way: 0 });
        if !course.step(&text, agent, replay.state().agents[agent].node) {
            return None;
        }
    }
    None
}

/// The graph of the performed steps, with relations that break a rule if one is given; `None` for too many operations.
pub(crate) fn of_replay(
    scene: &Scene,
    replay: Replay,
    rule: Option<RuleId>,
) -> Option<ExecutionGraph> {
    let text = text_of(&replay.machine);
    let mut course = Course::new(&text);
    for (done, after) in replay.done.iter().zip(&replay.states[1..]) {
        let agent = done.step.agent;
        if !course.step(&text, agent, after.agents[agent].node) {
            return None;
        }
    }
    if !course.leave_waiting(&text) {
        return None;
    }
    let candidate = Candidate::new(&course.execution, &text, false);
    let assignments = choices(&candidate);
    let breaks = |assignment: &&Assignment| {
        rule.is_some_and(|rule| candidate.broken(assignment, &text) & 1 << rule as u32 != 0)
    };
    let assignment = assignments.iter().find(breaks).or(assignments.first()).cloned();
    let parts = Parts {
        assignment: assignment.unwrap_or_default(),
        rule: rule.map(|rule| rule.get().id.to_owned()),
    };
    let mut graph = of_execution(scene, text, course.execution, parts);
    if let Source::Text(text) = &mut graph.source {
        text.replay = Some(Rc::new(replay));
    }
    Some(graph)
}

/// The possible *barrier-participates-in* relations, up to a limit.
fn choices(candidate: &Candidate<'_>) -> Vec<Assignment> {
    let mut found = Vec::new();
    let mut go_on = |_| true;
    let mut meter = Meter::new(u64::MAX, WORK / 4, &mut go_on);
    let _ = candidate.for_each(&mut meter, &mut |assignment, _| {
        found.push(assignment.to_vec());
        found.len() < MOST_CHOICES
    });
    found
}

fn text_of(spec: &Spec) -> Text {
    Text::new(spec.context.clone(), spec.readings)
}

/// The parts of a graph besides its execution.
struct Parts {
    /// The participants of each wait.
    assignment: Assignment,
    /// The rule that it breaks.
    rule: Option<String>,
}

/// The graph of an execution.
fn of_execution(scene: &Scene, text: Text, execution: Execution, parts: Parts) -> ExecutionGraph {
    let candidate = Candidate::new(&execution, &text, false);
    let mut graph = DiGraph::new();
    for index in 0..execution.events.len() {
        let _ = graph.add_node(operation(scene, &text, &candidate, &parts.assignment, index));
    }
    let agents = 0..text.context.program.agents.len();
    let agents: Vec<String> = agents.map(|agent| scene.agent_name(agent).to_owned()).collect();
    let objects = (0..text.objects()).map(|instance| scene.instance_name(instance)).collect();
    let relations = Relations::new(&candidate, &parts.assignment);
    let names: Vec<String> =
        graph.node_indices().map(|index| reason::name(&graph, &agents, index)).collect();
    for id in RelationId::ALL {
        add_edges(&mut graph, &relations, id, &names);
    }
    drop(relations);
    drop(candidate);
    let Parts { assignment, rule } = parts;
    let listed = Choices::of(&execution, &text);
    let (replay, memory) = (None, None);
    let source = OfText { execution, assignment, text, replay, memory };
    let choices = listed.valid_in_all;
    let source = Source::Text(Box::new(source));
    ExecutionGraph { graph, agents, objects, rule, choices, listed, source }
}

fn add_edges(
    graph: &mut DiGraph<Operation, Edge>,
    relations: &Relations<'_>,
    id: RelationId,
    names: &[String],
) {
    let relation = relations.get(id);
    let reduced = if id.is_order() { relation.reduction() } else { relation.clone() };
    for (from, to) in relation.edges() {
        let why = reason::explanation(names, relations, id, from, to);
        let clause = match why.clauses.as_slice() {
            [one] => one,
            _ => closure_clause(id),
        };
        let covering = reduced.has(from, to) && (!id.is_symmetric() || from < to);
        let edge = Edge { relation: id, covering, clause, reason: why.because.join(" ") };
        let _ = graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
    }
}

/// The clause that makes a relation transitive.
fn closure_clause(id: RelationId) -> &'static str {
    use tidegate_model::axioms::clause::Clause;
    match id {
        RelationId::PhaseWith => Clause::PhaseWith.get().id,
        _ => Clause::ExecutesBeforeTransitive.get().id,
    }
}

fn operation(
    scene: &Scene,
    text: &Text,
    candidate: &Candidate<'_>,
    assignment: &[Part],
    index: usize,
) -> Operation {
    let event = candidate.execution.events[index];
    let source = scene.source(event.agent, event.node);
    let before = &candidate.execution.events[..index];
    let own = |phase: &&Phase| phase.all() & one(index) != 0;
    let part = assignment.iter().find(|part| part.wait == index).map(|part| part.phase);
    let phase = candidate.phases.iter().find(own);
    let number = phase.map(|phase| phase.number).or(part);
    let step = Step { agent: event.agent, way: 0 };
    Operation {
        agent: event.agent,
        place: before.iter().filter(|other| other.agent == event.agent).count(),
        label: if source.text.is_empty() { "end".to_owned() } else { source.text },
        line: source.span.line,
        kind: event.kind.word(),
        key: key(&text.context.program, step, event.node, event.ordinal),
        object: object(&event),
        phase: number.map(|number| number as u32 + 1),
        completes: phase.is_some_and(|phase| phase.last == index),
        pending: candidate.execution.is_pending(index),
    }
}

fn object(event: &Event) -> Option<usize> {
    (event.instance != NO_INSTANCE).then_some(usize::from(event.instance))
}
