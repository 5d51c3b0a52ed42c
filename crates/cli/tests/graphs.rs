//! Relations of NVIDIA and OpenCL executions agree with the steps of these executions, in every scenario of the gallery
//! and of the conformance folder.

use crate::common::{root, scenarios};
use std::collections::BTreeMap;
use tidegate_check::graph::draw::{dot, mermaid, phases, svg};
use tidegate_check::graph::report::report;
use tidegate_check::graph::{ExecutionGraph, GraphError, Operation, Pick, RelationId};
use tidegate_check::step::{Stepper, View};
use tidegate_check::{Options, Scene, check, graph};

const FOLDERS: [&str; 6] = ["ptx", "sass", "tlx", "opencl", "compiler", "memory"];
/// The largest number of steps of a random execution.
const MOST_STEPS: usize = 4_000;

fn related() -> Vec<(String, Scene)> {
    let folders = FOLDERS.map(|folder| format!("tests/conformance/{folder}"));
    let folders = folders.into_iter().filter(|folder| root().join(folder).is_dir());
    let folders: Vec<String> = folders.chain(["examples".to_owned()]).collect();
    let files = folders.iter().flat_map(|folder| scenarios(folder));
    let scene = |file: String| {
        let text = std::fs::read_to_string(root().join(&file)).expect("it is readable");
        let scene = Scene::new(&file, &text);
        let target = Options::default().target_of(&scene).get().name;
        let names = target.starts_with("sm_") || target.starts_with("opencl");
        let other = names || text.contains("alloc_barriers");
        (scene.is_valid() && other).then_some((file, scene))
    };
    files.filter_map(scene).collect()
}

fn options() -> Options {
    Options { ambiguities: false, machine: false, max_states: Some(20_000), ..Options::default() }
}

fn operations(graph: &ExecutionGraph) -> Vec<&Operation> {
    graph.graph.raw_nodes().iter().map(|node| &node.weight).collect()
}

/// All edges of a relation.
fn edges(graph: &ExecutionGraph, of: RelationId) -> Vec<(usize, usize)> {
    let all = graph.graph.raw_edges().iter().filter(|edge| edge.weight.relation == of);
    all.map(|edge| (edge.source().index(), edge.target().index())).collect()
}

/// The witness of the first finding that has one, or a whole execution.
fn stepped(scene: &Scene) -> Option<Stepper> {
    let found = check(scene, &options(), &mut |_| true).findings;
    let mut stepper = Stepper::new(scene, &options())?;
    let witness = found.iter().find(|finding| !finding.witness.is_empty());
    if let Some(witness) = witness {
        let keys: Vec<String> = witness.witness.iter().map(|step| step.key.clone()).collect();
        assert_eq!(stepper.load(&keys), keys.len(), "{}", scene.file());
        return Some(stepper);
    }
    for _ in 0..MOST_STEPS {
        let Some(next) = stepper.moves().into_iter().next() else { return Some(stepper) };
        stepper.perform(&next.key).expect("it can be performed");
    }
    None
}

#[test]
fn phases_of_the_graph_equal_those_of_the_steps() {
    let (mut seen, mut large, mut passed) = (0, 0, 0);
    for (file, scene) in related() {
        let Some(stepper) = stepped(&scene) else { continue };
        let Some(graph) = stepper.graph() else {
            large += 1;
            continue;
        };
        let view = stepper.view();
        let operations = operations(&graph);
        let mut completed: BTreeMap<&str, u32> = BTreeMap::new();
        for (index, operation) in operations.iter().enumerate() {
            if let Some(object) = operation.object.filter(|_| operation.completes) {
                *completed.entry(&*graph.objects[object]).or_default() += 1;
            }
            agrees(&file, &view, &graph, index);
        }
        for object in &view.objects {
            // Each init starts a separate node of the object; only the last one is compared.
            let of = |name: &&String| {
                **name == object.name || name.starts_with(&format!("{} (init ", object.name))
            };
            let Some(last) = graph.objects.iter().rfind(of) else { continue };
            let counted = completed.get(&**last).copied().unwrap_or(0);
            if object.initialised {
                assert_eq!(counted, object.completed, "{file}: {}", object.name);
            }
        }
        seen += 1;
        passed += edges(&graph, RelationId::ParticipatesIn).len();
    }
    assert!(seen > 400 && large < 30 && passed > 1_000, "{seen}, {large}, {passed}");
}

/// Compares an operation with its step.
fn agrees(file: &str, view: &View, graph: &ExecutionGraph, index: usize) {
    let operation = operations(graph)[index];
    let taking =
        edges(graph, RelationId::ParticipatesIn).into_iter().filter(|edge| edge.1 == index);
    let taking: Vec<usize> = taking.map(|edge| edge.0).collect();
    let waited = operation.kind == "wait" && operation.phase.is_some() && !operation.pending;
    assert_eq!(waited, !taking.is_empty(), "{file}: {operation:?}");
    if waited {
        let closing = taking.iter().filter(|&&part| operations(graph)[part].completes);
        assert_eq!(closing.count(), 1, "{file}: {operation:?}");
        assert!(taking.iter().all(|&part| part < index), "{file}: {operation:?}");
    }
    let Some(step) = graph.step_of(index).map(|step| &view.performed[step]) else { return };
    assert_eq!(step.agent, operation.agent, "{file}: {operation:?}");
    if let [phase] = step.phases[..]
        && !operation.key.ends_with("+wait")
        && operation.phase.is_some()
    {
        assert_eq!(Some(phase), operation.phase, "{file}: {operation:?} {step:?}");
    }
}

#[test]
fn relations_satisfy_their_definitions() {
    let mut seen = 0;
    let both = |(file, scene): (String, Scene)| {
        [false, true].map(|memory| (file.clone(), scene.clone(), memory))
    };
    for (file, scene, memory) in related().into_iter().flat_map(both) {
        if memory && !scene.accesses_memory() {
            continue;
        }
        let pick = Pick { memory, ..Pick::default() };
        let graph = match graph(&scene, &options(), pick, &mut |_| true) {
            Ok(graph) => graph,
            Err(error) => {
                assert!(matches!(error, GraphError::TooLarge | GraphError::NoRelations), "{file}");
                continue;
            }
        };
        seen += 1;
        let operations = operations(&graph);
        let order = edges(&graph, RelationId::ProgramOrder);
        let own = |index: usize| {
            let key = &operations[index].key;
            !key.starts_with("copy.") && !key.ends_with("+copy")
        };
        for agent in 0..graph.agents.len() {
            let lane = (0..operations.len()).filter(|&it| operations[it].agent == agent && own(it));
            let lane: Vec<usize> = lane.collect();
            let within = order.iter().filter(|edge| operations[edge.0].agent == agent).count();
            assert_eq!(within, lane.len() * lane.len().saturating_sub(1) / 2, "{file}");
        }
        // Every edge leads forwards: no operation executes before itself.
        let executes = edges(&graph, RelationId::ExecutesBefore);
        assert!(executes.iter().all(|(from, to)| from < to), "{file}");
        let part = edges(&graph, RelationId::ParticipatesIn);
        assert!(order.iter().chain(&part).all(|edge| executes.contains(edge)), "{file}");
        let by_bars: usize =
            phases(&graph).iter().map(|bar| bar.parts.len() * bar.waits.len()).sum();
        assert_eq!(by_bars, part.len(), "{file}");
        let all: Vec<RelationId> = RelationId::ALL.into_iter().chain(RelationId::MEMORY).collect();
        for draw in [dot, mermaid, svg] {
            assert!(!draw(&graph, "x", &all).is_empty());
        }
        assert_eq!(report(&graph, "", "", "", &all).operations.len(), operations.len());
        let last = operations.len().min(12);
        for (from, to) in (0..last).flat_map(|from| (0..last).map(move |to| (from, to))) {
            for &relation in &all {
                let why = graph.why(relation, from, to);
                let drawn = graph.graph.raw_edges().iter().any(|edge| {
                    (edge.source().index(), edge.target().index()) == (from, to)
                        && edge.weight.relation == relation
                });
                assert_eq!(why.holds, drawn, "{file}: {relation:?} {from} {to}");
                assert_eq!(why.clauses.len(), why.because.len());
                assert!(why.because.iter().all(|it| it.ends_with('.')), "{why:?}");
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Whether the report has findings other than races on accesses.
fn races(scene: &Scene) -> Option<bool> {
    let report = check(scene, &options(), &mut |_| true);
    let first = report.findings.iter().find(|finding| !finding.witness.is_empty());
    match first {
        None if report.verdict == "ok" => Some(false),
        Some(first) if matches!(&*first.rule, "mem.race" | "ptx.async.copy-access") => Some(true),
        _ => None,
    }
}

#[test]
fn conflicting_accesses_race_if_happens_before_does_not_order_them() {
    let (mut racing, mut ordered, mut related_pairs) = (0, 0, 0);
    for (file, scene) in related() {
        if !scene.accesses_memory() {
            continue;
        }
        let (Some(races), Some(stepper)) = (races(&scene), stepped(&scene)) else { continue };
        let pairs = stepper.memory().pairs;
        let apart: Vec<_> = pairs.iter().filter(|pair| !pair.ordered).collect();
        assert_eq!(races, !apart.is_empty(), "{file}: {apart:?}");
        assert!(pairs.iter().all(|pair| pair.first < pair.second), "{file}");
        let Some(graph) = stepper.graph().filter(ExecutionGraph::has_memory) else { continue };
        let memory = [RelationId::HappensBeforeLocal, RelationId::HappensBeforeGlobal];
        let happens: Vec<(usize, usize)> =
            memory.into_iter().flat_map(|of| edges(&graph, of)).collect();
        let at = |step: usize| {
            let all = operations(&graph).into_iter().enumerate();
            let is = |kind: &str| matches!(kind, "load" | "store" | "async-copy");
            all.into_iter()
                .find(|(index, it)| graph.step_of(*index) == Some(step) && is(it.kind))
                .map(|(index, _)| index)
        };
        for pair in &pairs {
            let (Some(from), Some(to)) = (at(pair.first), at(pair.second)) else { continue };
            let why = memory.map(|of| graph.why(of, from, to));
            let holds = why.iter().any(|why| why.holds);
            assert_eq!(holds, pair.ordered, "{file}: {from} {to} {why:?}");
            assert_eq!(pair.missing.is_empty(), pair.ordered, "{file}: {pair:?}");
            related_pairs += 1;
        }
        assert!(happens.iter().all(|(from, to)| from < to), "{file}");
        (racing, ordered) = (racing + usize::from(races), ordered + usize::from(!races));
    }
    assert!(
        racing >= 20 && ordered > 30 && related_pairs > 60,
        "{racing} race, {ordered} do not, {related_pairs} pairs"
    );
}
