use super::*;
use crate::check::{graph, outside};
use crate::scene::{Options, Scene};
use alloc::vec;
use petgraph::visit::EdgeRef;

fn shown(text: &str, finding: Option<usize>) -> Result<ExecutionGraph, GraphError> {
    graph(
        &Scene::new("test.tide", text),
        &Options::default(),
        Pick { finding, ..Pick::default() },
        &mut |_| true,
    )
}

fn find(graph: &ExecutionGraph, agent: usize, place: usize) -> usize {
    let operations = graph.graph.raw_nodes().iter();
    operations
        .map(|node| &node.weight)
        .position(|operation| operation.agent == agent && operation.place == place)
        .expect("there is such an operation")
}

const MEETING: &str = "target gfx1250\nlaunch waves=2\nwave * { arrive wg; wait wg }\n";

#[test]
fn two_waves_synchronise() {
    let graph = shown(MEETING, None).unwrap();
    assert_eq!((graph.rule.as_deref(), graph.choices), (None, 1));
    assert_eq!((graph.agents.len(), graph.objects.as_slice()), (2, ["wg".into()].as_slice()));
    let of = |id| graph.drawn(&[id]).count();
    assert_eq!(of(RelationId::ParticipatesIn), 4);
    // Two arrives, and the drops at the end of each wave.
    assert_eq!(of(RelationId::ModificationOrder), 3);
    assert_eq!(of(RelationId::ExecutesBefore), 6);
    let (arrive, other_wait) = (find(&graph, 0, 0), find(&graph, 1, 1));
    let why = graph.why(RelationId::ParticipatesIn, arrive, other_wait);
    assert!(why.holds);
    assert_eq!(why.clauses, ["amd.participates-in"]);
    assert_eq!(
        why.because,
        ["`arrive wg` (wave 0, line 3) participates in `wait wg` (wave 1, line 3)."]
    );
}

#[test]
fn a_closure_is_explained_by_its_path() {
    let graph = shown(MEETING, None).unwrap();
    let (arrive, end) = (find(&graph, 0, 0), find(&graph, 1, 2));
    let why = graph.why(RelationId::ExecutesBefore, arrive, end);
    assert_eq!(
        why.clauses,
        ["amd.executes-before.participates-in", "amd.executes-before.program-order"]
    );
    let back = graph.why(RelationId::ExecutesBefore, end, arrive);
    assert!(!back.holds && back.clauses == ["amd.executes-before.transitive"]);
}

#[test]
fn the_witness_of_the_first_finding_is_shown() {
    let text = "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg; wait wg }\nwave 1 { arrive wg; wait wg }\n";
    let graph = shown(text, None).unwrap();
    assert_eq!(graph.rule.as_deref(), Some("amd.wait.never-completes"));
    let pending = graph.graph.raw_nodes().iter().filter(|node| node.weight.pending);
    let pending: Vec<_> = pending.map(|node| (node.weight.agent, node.weight.place)).collect();
    assert_eq!(pending, [(0, 2)]);
    let why = graph.why(RelationId::ParticipatesIn, find(&graph, 1, 0), find(&graph, 0, 2));
    assert_eq!(why.clauses, ["amd.participates-in.one-wait"]);
    assert_eq!(shown(text, Some(1)).unwrap_err(), GraphError::NoSuchFinding(1));
}

#[test]
fn joins_between_end_a_join() {
    let text = "target gfx1250\nlaunch waves=1\nbarrier a = named(1)\nbarrier b = named(2)\nwave 0 { init a, 1; join a; join b; arrive a }\n";
    let graph = shown(text, None).unwrap();
    let why = graph.why(RelationId::JoinedBefore, find(&graph, 0, 1), find(&graph, 0, 3));
    assert!(!why.holds);
    assert_eq!(why.clauses, ["amd.joined-before.no-other-object"]);
    assert!(why.because[0].ends_with("`join b` (wave 0, line 5) is in between."));
}

#[test]
fn drawn_edges_close_to_all_edges() {
    let graph = shown(MEETING, None).unwrap();
    for id in RelationId::ALL.into_iter().filter(|id| id.is_order()) {
        let mut drawn = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = graph.graph.node_indices().map(|_| drawn.add_node(())).collect();
        for (from, to, _) in graph.drawn(&[id]) {
            let _ = drawn.add_edge(nodes[from], nodes[to], ());
        }
        let edges = graph.graph.edge_references().filter(|edge| edge.weight().relation == id);
        for edge in edges {
            let (from, to) = (nodes[edge.source().index()], nodes[edge.target().index()]);
            assert!(petgraph::algo::has_path_connecting(&drawn, from, to, None), "{id:?}");
        }
    }
}

#[test]
fn executions_that_cannot_be_shown() {
    assert_eq!(shown("wave {", None).unwrap_err(), GraphError::Invalid);
    let large = "target gfx1250\nlaunch waves=2\nwave * { repeat 40 { arrive wg; wait wg } }\n";
    assert_eq!(shown(large, None).unwrap_err(), GraphError::TooLarge);
}

#[test]
fn an_execution_that_no_interleaving_has() {
    let options = Options::default();
    let shown = |text| outside(&Scene::new("test.tide", text), &options, &mut |_| true);
    assert!(shown(MEETING).unwrap().is_none());
    let crossed = "target model\nlaunch waves=2\nbarrier x\nbarrier y\n\
        wave 0 { init x, 3; init y, 3; arrive wg; wait wg; arrive x; arrive y }\n\
        wave 1 { arrive wg; wait wg; arrive y; arrive x }\n";
    let graph = shown(crossed).unwrap().unwrap();
    assert_eq!(graph.rule, None);
    let mut orders = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = graph.graph.node_indices().map(|_| orders.add_node(())).collect();
    let both = [RelationId::ProgramOrder, RelationId::ModificationOrder];
    for (from, to, _) in graph.drawn(&both) {
        let _ = orders.add_edge(nodes[from], nodes[to], ());
    }
    assert!(petgraph::algo::is_cyclic_directed(&orders));
}

/// Wave 0 releases bytes to wave 1, with these lines around the barrier.
fn handed(release: &str, acquire: &str) -> ExecutionGraph {
    let text = format!(
        "target gfx1250\nlaunch waves=2\nlds t[4]\n\
         wave 0 {{\nstore t\n{release}\narrive wg\nwait wg\n}}\n\
         wave 1 {{\narrive wg\nwait wg\n{acquire}\nload t\n}}\n"
    );
    let pick = Pick { memory: true, ..Pick::default() };
    graph(&Scene::new("test.tide", &text), &Options::default(), pick, &mut |_| true).unwrap()
}

fn of(graph: &ExecutionGraph, label: &str) -> usize {
    graph.graph.raw_nodes().iter().position(|node| node.weight.label.starts_with(label)).unwrap()
}

fn why(graph: &ExecutionGraph, relation: RelationId, from: &str, to: &str) -> Explanation {
    graph.why(relation, of(graph, from), of(graph, to))
}

#[test]
fn fences_that_synchronize_order_the_accesses() {
    let graph = handed("fence release workgroup", "fence acquire workgroup");
    let [sw, local, global] = RelationId::MEMORY;
    assert!(why(&graph, sw, "fence release", "fence acquire").holds);
    let before = why(&graph, local, "store", "load");
    assert_eq!(
        before.clauses,
        [
            "mem.happens-before.program-order",
            "mem.happens-before.synchronizes-with",
            "mem.happens-before.program-order"
        ]
    );
    assert!(why(&graph, global, "store", "load").holds, "both fences name both spaces");
    assert!(!why(&graph, local, "load", "store").holds);
    assert!(why(&graph, local, "load", "store").because[0].contains("reversed"));
    // Every edge has the reason that `why` gives, and the drawn edges have the same closure.
    for edge in graph.graph.raw_edges() {
        let (from, to) = (edge.source().index(), edge.target().index());
        assert!(graph.why(edge.weight.relation, from, to).holds, "{:?}", edge.weight);
    }
}

#[test]
fn one_address_space_is_not_the_other() {
    let graph = handed("fence release workgroup local", "fence acquire workgroup local");
    let [_, local, global] = RelationId::MEMORY;
    assert!(why(&graph, local, "store", "load").holds);
    assert!(!why(&graph, global, "store", "load").holds);
}

#[test]
fn a_missing_edge_names_the_missing_operation() {
    let [sw, local, _] = RelationId::MEMORY;
    let said = |release, acquire, from, to, relation| {
        let graph = handed(release, acquire);
        let why = why(&graph, relation, from, to);
        assert!(!why.holds);
        why.because.join(" ")
    };
    let none = said("", "fence acquire workgroup", "store", "load", local);
    assert!(none.contains("no release between its access"), "{none}");
    let scope = said(
        "fence release wavefront",
        "fence acquire workgroup",
        "fence release",
        "fence acquire",
        sw,
    );
    assert!(scope.contains("does not include the other wave"), "{scope}");
    let alone = said(
        "fence release workgroup one-as",
        "fence acquire workgroup",
        "fence release",
        "fence acquire",
        sw,
    );
    assert!(alone.contains("one-as"), "{alone}");
    let spaces = said(
        "fence release workgroup local",
        "fence acquire workgroup global",
        "fence release",
        "fence acquire",
        sw,
    );
    assert!(spaces.contains("no common address space"), "{spaces}");
    let fences = said("fence release workgroup", "fence acquire workgroup", "store", "load", sw);
    assert!(fences.contains("Only fences synchronize"), "{fences}");
}

#[test]
fn a_copy_happens_before_the_wait_that_completes_it() {
    let text = |reading: &str| {
        format!(
            "target gfx942\n{reading}\nlds t[4]\nglobal g[4]\nwave 0 {{\nasync_load t <- g\nasyncmark\n\
             wait_asyncmark 0\nload t\n}}\n"
        )
    };
    let [_, local, _] = RelationId::MEMORY;
    for (reading, wait, load) in [("", true, true), ("reading async.v1-v2=v1", false, true)] {
        let scene = Scene::new("test.tide", &text(reading));
        let pick = Pick { memory: true, ..Pick::default() };
        let graph = graph(&scene, &Options::default(), pick, &mut |_| true).unwrap();
        assert!(why(&graph, local, "async_load", "copy of").holds);
        assert_eq!(why(&graph, local, "copy of", "wait_asyncmark").holds, wait, "{reading}");
        assert_eq!(why(&graph, local, "copy of", "load").holds, load, "{reading}");
        assert!(!why(&graph, local, "copy of", "asyncmark").holds);
        assert!(!why(&graph, RelationId::ProgramOrder, "copy of", "load").holds);
    }
}

#[test]
fn more_operations_than_can_be_related_are_refused_without_performing_them() {
    let text = "target gfx1250\nlaunch waves=2\nwave * { repeat 20000 { arrive wg; wait wg } }\n";
    let options = Options { max_states: Some(10), ..Options::default() };
    let found = graph(&Scene::new("test.tide", text), &options, Pick::default(), &mut |_| true);
    assert!(matches!(found, Err(GraphError::TooLarge)));
}

/// Three phases of one arrive each, and two later waits.
const STARVED: &str = "target model\nlaunch waves=1\nbarrier n\nwave 0 { init n, 1\narrive n\narrive n\narrive n\nwait n\nwait n }\n";

#[test]
fn every_choice_is_listed_and_every_other_names_its_clause() {
    let graph = shown(STARVED, None).unwrap();
    let sets = |assignment: &[choices::Part]| -> Vec<(usize, Vec<usize>)> {
        assignment.iter().map(|part| (part.wait, choices::each(part.set).collect())).collect()
    };
    let valid: Vec<_> = graph.listed.valid.iter().map(|one| sets(one)).collect();
    // Each of the three phases is one that the first wait can depend on.
    assert_eq!(valid, [[(4, vec![1])], [(4, vec![2])], [(4, vec![3])]]);
    assert_eq!((graph.choices, graph.listed.is_complete), (3, true));
    // The second wait cannot: what the first depends on it must not have, and all else is of another phase in between.
    let rejected = graph.listed.rejected.iter();
    let rejected: Vec<_> =
        rejected.map(|one| (sets(&one.assignment), one.clause.get().id)).collect();
    assert_eq!((rejected.len(), graph.listed.rejected_in_all), (9, 9));
    for (waits, clause) in rejected {
        let same = waits[0].1 == waits[1].1;
        let other = if same { "amd.participates-in.one-wait" } else { "amd.phase.separation" };
        assert_eq!((waits[1].0, clause), (5, other), "{waits:?}");
    }
}

#[test]
fn a_missing_part_names_the_clause_that_rules_it_out() {
    let graph = shown(STARVED, None).unwrap();
    let why = |place, wait| {
        graph.why(RelationId::ParticipatesIn, find(&graph, 0, place), find(&graph, 0, wait))
    };
    assert_eq!(why(3, 5).clauses, ["amd.phase.separation"]);
    assert_eq!(why(2, 5).clauses, ["amd.phase.separation"]);
    assert_eq!(why(1, 5).clauses, ["amd.participates-in.one-wait"]);
    assert_eq!(why(0, 5).clauses, ["amd.participates-in.arrive-or-drop"]);
    // Nothing rules this out but that the relation shown is another one.
    let other = why(3, 4);
    assert_eq!(other.clauses, ["amd.participates-in.interval"]);
    assert!(other.because[0].ends_with("Another valid relation of this execution contains it."));
}

/// No two operations have the same name, even in a loop.
#[test]
fn names_are_of_one_operation() {
    let text = "target gfx1250\nlaunch waves=2\nwave * { for i in 0..3 { arrive wg; wait wg }\narrive wg; wait wg; arrive wg; wait wg }\n";
    let graph = shown(text, None).unwrap();
    let names: tidegate_model::ordered::OrderedSet<String> = graph.names().into_iter().collect();
    assert_eq!(names.len(), graph.graph.node_count());
    assert!(names.contains("`wait wg` (wave 1, line 3, 2 of 3)"), "{names:?}");
    assert!(names.contains("`arrive wg` (wave 0, line 4, 2 of 2)"), "{names:?}");
}

/// A lint does not end an execution; it is shown on request.
#[test]
fn a_lint_is_no_reason_to_end_an_execution() {
    let text = "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [b], 1\n  mbarrier.test_wait.parity.shared::cta.b64 p, [b], 1\n  mbarrier.arrive.shared::cta.b64 _, [b]\n}\n";
    let scene = Scene::new("test.tide", text);
    let of = |finding| {
        graph(&scene, &Options::default(), Pick { finding, ..Pick::default() }, &mut |_| true)
    };
    let whole = of(None).expect("a whole execution");
    assert_eq!((whole.rule.as_deref(), whole.graph.node_count()), (None, 3));
    let cut = of(Some(0)).expect("the witness");
    assert_eq!(cut.rule.as_deref(), Some("ptx.mbarrier.first-parity"));
    assert!(cut.graph.node_count() < whole.graph.node_count());
}
