use crate::check::graph;
use crate::graph::{ExecutionGraph, GraphError, Pick, RelationId};
use crate::scene::{Options, Scene};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

fn tried(text: &str) -> Result<ExecutionGraph, GraphError> {
    let scene = Scene::new("x.tide", text);
    assert!(scene.is_valid(), "{:?}", scene.diagnostics());
    graph(&scene, &Options::default(), Pick::default(), &mut |_| true)
}

/// The graph with accesses to memory.
fn with_memory(text: &str) -> ExecutionGraph {
    let scene = Scene::new("x.tide", text);
    assert!(scene.is_valid(), "{:?}", scene.diagnostics());
    let pick = Pick { memory: true, ..Pick::default() };
    graph(&scene, &Options::default(), pick, &mut |_| true).expect("a graph")
}

fn shown(text: &str) -> ExecutionGraph {
    tried(text).expect("a graph")
}

/// The operation of a key.
fn at(graph: &ExecutionGraph, key: &str) -> usize {
    let found = graph.graph.raw_nodes().iter().position(|node| node.weight.key == key);
    found.unwrap_or_else(|| panic!("no {key} in {:?}", keys(graph)))
}

fn keys(graph: &ExecutionGraph) -> Vec<&str> {
    graph.graph.raw_nodes().iter().map(|node| &*node.weight.key).collect()
}

/// All edges of a relation, by keys.
fn edges(graph: &ExecutionGraph, of: RelationId) -> Vec<(&str, &str)> {
    let key = |index: usize| &*graph.graph.raw_nodes()[index].weight.key;
    let all = graph.graph.raw_edges().iter().filter(|edge| edge.weight.relation == of);
    let mut all: Vec<_> =
        all.map(|edge| (key(edge.source().index()), key(edge.target().index()))).collect();
    all.sort_unstable();
    all
}

/// Whether they are related, and the first sentence.
fn why(graph: &ExecutionGraph, of: RelationId, from: &str, to: &str) -> (bool, String) {
    let found = graph.why(of, at(graph, from), at(graph, to));
    assert_eq!(found.clauses.len(), found.because.len());
    (found.holds, found.because.join(" "))
}

use RelationId::{ExecutesBefore, ModificationOrder, ParticipatesIn, ProgramOrder};

const COPIED: &str = "target sm_90\nlaunch warps=2\nmbarrier full\nshared tile[64]\nglobal src[64]\n\
warp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1\n  bar.sync 0\n  mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64\n\
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile[0..64]], [src], 64, [full]\n}\n\
warp 1 {\n  bar.sync 0\n  W: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra W\n}\n";

#[test]
fn an_arrive_and_the_bytes_of_a_copy_participate_in_a_wait() {
    let graph = shown(COPIED);
    assert_eq!((graph.rule.as_deref(), graph.choices), (None, 1));
    assert!(graph.about().is_some_and(|it| it.contains("PTX")));
    let wait = graph.graph.raw_nodes().iter().find(|node| {
        node.weight.agent == 1 && node.weight.kind == "wait" && node.weight.phase == Some(0)
    });
    let wait = &*wait.expect("the wait passes").weight.key;
    let taking = edges(&graph, ParticipatesIn);
    let mut expected = Vec::from([
        ("0.0:1", "0.0:1+wait"),
        ("0.0:1", "0.1:0+wait"),
        ("0.1:0", "0.0:1+wait"),
        ("0.1:0", "0.1:0+wait"),
        ("0.0:2", wait),
        ("copy.0", wait),
    ]);
    expected.sort_unstable();
    assert_eq!(taking, expected);
    // The copy is in no program-order, and the operation that starts it is before it.
    assert!(
        edges(&graph, ProgramOrder).iter().all(|edge| edge.0 != "copy.0" && edge.1 != "copy.0")
    );
    let (holds, because) = why(&graph, ExecutesBefore, "0.0:0", wait);
    assert!(holds && because.contains("arrives in phase 0 of full"), "{because}");
    let (holds, because) = why(&graph, ExecutesBefore, "0.0:3", wait);
    assert!(holds && because.contains("starts `complete 64 bytes at full`"), "{because}");
    assert!(because.contains("completes bytes of the tx-count in phase 0 of full"), "{because}");
    let observed = edges(&graph, ModificationOrder);
    for edge in [("0.0:0", "0.0:2"), ("0.0:2", "copy.0"), ("0.0:0", "copy.0")] {
        assert!(observed.contains(&edge), "{edge:?} {observed:?}");
    }
    assert_eq!(observed.len(), 4, "{observed:?}");
}

#[test]
fn a_missing_edge_has_a_reason() {
    let graph = shown(COPIED);
    let other = why(&graph, ParticipatesIn, "0.0:2", "0.1:0+wait");
    assert!(
        !other.0 && other.1.contains("is on full") && other.1.contains("on barrier 0"),
        "{other:?}"
    );
    let (holds, because) = why(&graph, ParticipatesIn, "0.0:0", "0.1:0+wait");
    assert!(!holds && because.contains("counts for no phase"), "{because}");
    let (holds, because) = why(&graph, ProgramOrder, "0.0:1", "0.1:0");
    assert!(!holds && because.ends_with("are of different agents."), "{because}");
    let (holds, because) = why(&graph, ExecutesBefore, "0.1:0+wait", "0.0:0");
    assert!(!holds && because.contains("reversed"), "{because}");
    let (holds, because) = why(&graph, ExecutesBefore, "0.1:0+wait", "0.0:3");
    assert!(!holds && because.starts_with("No path of program-order"), "{because}");
    assert!(!graph.has_memory());
    for absent in [RelationId::JoinedBefore, RelationId::PhaseWith, RelationId::SynchronizesWith] {
        assert!(edges(&graph, absent).is_empty() && graph.lacks(absent).is_some());
        let (holds, because) = why(&graph, absent, "0.0:0", "0.0:1");
        assert!(!holds && because.contains("has no edge here"), "{because}");
    }
}

#[test]
fn phases_are_distinguished() {
    let text = "target sm_90\nlaunch warps=2\nmbarrier n\n\
        warp 0 {\n  mbarrier.init.shared::cta.b64 [n], 1\n  bar.sync 0\n\
        mbarrier.arrive.shared::cta.b64 _, [n]\n  bar.sync 0\n  mbarrier.arrive.shared::cta.b64 _, [n]\n}\n\
        warp 1 {\n  bar.sync 0\n  A: mbarrier.try_wait.parity.shared::cta.b64 p, [n], 0\n  @!p bra A\n  bar.sync 0\n\
        B: mbarrier.try_wait.parity.shared::cta.b64 p, [n], 1\n  @!p bra B\n}\n";
    let graph = shown(text);
    let waits: Vec<(&str, Option<u32>)> = graph
        .graph
        .raw_nodes()
        .iter()
        .filter(|node| node.weight.agent == 1 && node.weight.label.contains("try_wait"))
        .map(|node| (&*node.weight.key, node.weight.phase))
        .collect();
    let [(first, Some(0)), (second, Some(1))] = waits[..] else { panic!("{waits:?}") };
    assert!(why(&graph, ParticipatesIn, "0.0:2", first).0);
    assert!(why(&graph, ParticipatesIn, "0.0:4", second).0);
    let (holds, because) = why(&graph, ParticipatesIn, "0.0:4", first);
    assert!(
        !holds && because.ends_with("waited for phase 0, which completed before it."),
        "{because}"
    );
    let (holds, because) = why(&graph, ParticipatesIn, "0.0:2", second);
    assert!(!holds && because.ends_with("waited for phase 1, a later one."), "{because}");
}

#[test]
fn a_wait_that_never_completes_is_pending() {
    let text = "target sm_90\nlaunch warps=2\nmbarrier n\n\
        warp 0 {\n  mbarrier.init.shared::cta.b64 [n], 2\n  bar.sync 0\n  mbarrier.arrive.shared::cta.b64 _, [n]\n}\n\
        warp 1 {\n  bar.sync 0\n  WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [n], 0\n  @!p bra WAIT\n}\n";
    let graph = shown(text);
    assert_eq!(graph.rule.as_deref(), Some("ptx.mbarrier.never-completes"));
    let pending =
        graph.graph.raw_nodes().iter().find(|node| node.weight.pending).expect("one waits");
    assert_eq!((pending.weight.agent, pending.weight.phase), (1, None));
    let (holds, because) = why(&graph, ParticipatesIn, "0.0:2", &pending.weight.key);
    assert!(!holds && because.contains("is incomplete"), "{because}");
    let drawn = crate::graph::draw::dot(&graph, "x", &RelationId::ALL);
    assert!(drawn.contains("never returns") && !drawn.contains("still waits"), "{drawn}");
}

#[test]
fn the_operation_that_breaks_the_rule_is_there() {
    let text = "target sm_90\nlaunch warps=1\nmbarrier n\nwarp 0 {\n  mbarrier.arrive.shared::cta.b64 _, [n]\n}\n";
    let graph = shown(text);
    assert_eq!(graph.fault(), Some(at(&graph, "0.0:0")));
    assert!(!graph.graph.raw_nodes()[0].weight.completes);
}

#[test]
fn warps_of_a_cluster_arrive_and_wait() {
    let text = "target sm_90\nlaunch clusters=1 ctas=2 warps=1\nwarp 0 {\n  barrier.cluster.arrive\n  barrier.cluster.wait\n}\n";
    let graph = shown(text);
    let expected = [("0.0:0", "0.0:1"), ("0.0:0", "1.0:1"), ("1.0:0", "0.0:1"), ("1.0:0", "1.0:1")];
    assert_eq!(edges(&graph, ParticipatesIn), expected);
    assert_eq!(edges(&graph, ProgramOrder), [("0.0:0", "0.0:1"), ("1.0:0", "1.0:1")]);
    assert_eq!(edges(&graph, ModificationOrder), [("0.0:0", "1.0:0")]);
    assert_eq!(edges(&graph, ExecutesBefore), expected);
    assert_eq!(graph.graph.raw_nodes()[at(&graph, "1.0:0")].weight.phase, Some(1));
}

#[test]
fn lanes_arrive_when_their_warp_has_gathered() {
    let text =
        "target sm_90\nlaunch warps=1 lanes=2\nwarp 0 {\n  bar.sync 1, 32\n  bar.sync 1, 32\n}\n";
    let graph = shown(text);
    let phases: Vec<_> = graph
        .graph
        .raw_nodes()
        .iter()
        .map(|node| (&*node.weight.key, node.weight.phase, node.weight.completes))
        .collect();
    let expected = [
        ("0.0:0", Some(1), false),
        ("0.1:0", Some(1), true),
        ("0.0:0+wait", Some(1), false),
        ("0.1:0+wait", Some(1), false),
        ("0.0:1", Some(2), false),
        ("0.1:1", Some(2), true),
        ("0.0:1+wait", Some(2), false),
        ("0.1:1+wait", Some(2), false),
    ];
    assert_eq!(phases, expected);
    assert_eq!(edges(&graph, ParticipatesIn).len(), 8);
}

#[test]
fn lanes_of_a_mask_synchronise() {
    let text = "target sm_90\nlaunch warps=1 lanes=3\nwarp 0 {\n  if lane_id < 2 {\n    bar.warp.sync 3\n  } else {\n    bar.warp.sync 4\n  }\n}\n";
    let graph = shown(text);
    let phases: Vec<_> = graph
        .graph
        .raw_nodes()
        .iter()
        .map(|node| (node.weight.agent, node.weight.kind, node.weight.phase, node.weight.completes))
        .collect();
    let expected = [
        (0, "arrive", Some(1), false),
        (1, "arrive", Some(1), true),
        (0, "wait", Some(1), false),
        (1, "wait", Some(1), false),
        (2, "arrive", Some(2), true),
        (2, "wait", Some(2), false),
    ];
    assert_eq!(phases, expected);
    assert_eq!(edges(&graph, ParticipatesIn).len(), 5);
}

#[test]
fn a_token_of_an_older_phase_waits_for_none_that_is_shown() {
    let text = "target sm_90\nlaunch warps=1\nmbarrier n\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [n], 1\n\
        mbarrier.arrive.shared::cta.b64 t, [n]\n  mbarrier.test_wait.shared::cta.b64 p, [n], t\n\
        mbarrier.arrive.shared::cta.b64 _, [n]\n  mbarrier.test_wait.shared::cta.b64 p, [n], t\n}\n";
    let graph = shown(text);
    let waits = graph.graph.raw_nodes().iter().filter(|node| node.weight.kind == "wait");
    let phases: Vec<_> = waits.map(|node| node.weight.phase).collect();
    assert_eq!(phases, [Some(0), None]);
    assert_eq!(edges(&graph, ParticipatesIn).len(), 1);
}

#[test]
fn a_sub_group_that_a_phase_does_not_wait_for_takes_no_part_in_it() {
    let text = "target opencl\nlaunch subgroups=3 items=2\nkernel {\n  local<work_group_named_barrier> a(2)\n  a.wait(mem_fence::local)\n}\n";
    let scene = Scene::new("x.tide", text);
    let mut stepper = crate::step::Stepper::new(&scene, &Options::default()).expect("a stepper");
    let made = (0..6).map(|item| format!("0.{item}:0"));
    let waits = [4, 0, 1, 2, 3].map(|item| format!("0.{item}:1"));
    let keys: Vec<String> = made.chain(waits).collect();
    assert_eq!(stepper.load(&keys), keys.len());
    let graph = stepper.graph().expect("a graph");
    let taking = edges(&graph, ParticipatesIn);
    assert_eq!(taking.len(), 16);
    assert!(taking.iter().all(|edge| edge.0 != "0.4:1"), "{taking:?}");
    assert_eq!(graph.graph.raw_nodes()[at(&graph, "0.4:1")].weight.phase, Some(2));
    let (holds, because) = why(&graph, ParticipatesIn, "0.4:1", "0.0:1+wait");
    assert!(
        !holds && because.ends_with("waited for phase 1, which completed without it."),
        "{because}"
    );
}

#[test]
fn the_end_of_a_warp_completes_the_phase_of_other_warps() {
    let text = "target sm_90\nlaunch warps=2\nwarp 0 {\n  bar.sync 1\n}\nwarp 1 {\n}\n";
    let scene = Scene::new("x.tide", text);
    let mut stepper = crate::step::Stepper::new(&scene, &Options::default()).expect("a stepper");
    let keys = ["0.0:0", "0.1:0"].map(String::from);
    assert_eq!(stepper.load(&keys), 2);
    let graph = stepper.graph().expect("a graph");
    let end = &graph.graph.raw_nodes()[at(&graph, "0.1:0")].weight;
    assert_eq!((end.kind, end.completes, end.phase), ("end", true, Some(1)));
    assert_eq!(edges(&graph, ParticipatesIn), [("0.0:0", "0.0:0+wait"), ("0.1:0", "0.0:0+wait")]);
    assert_eq!(stepper.view().objects[0].completed, 1);
    assert!(stepper.view().performed[1].completes);
}

#[test]
fn an_object_that_is_initialised_again_is_a_new_object() {
    let text = "target sm_90\nlaunch warps=1\nmbarrier n\nwarp 0 {\n  repeat 2 {\n    mbarrier.init.shared::cta.b64 [n], 1\n\
        mbarrier.arrive.shared::cta.b64 _, [n]\n    mbarrier.try_wait.parity.shared::cta.b64 p, [n], 0\n    mbarrier.inval.shared::cta.b64 [n]\n  }\n}\n";
    let graph = shown(text);
    assert_eq!(graph.objects, ["n", "n (init 2)"]);
    let waits: Vec<&str> = graph
        .graph
        .raw_nodes()
        .iter()
        .filter(|node| node.weight.kind == "wait")
        .map(|node| &*node.weight.key)
        .collect();
    let [first, second] = waits[..] else { panic!("{waits:?}") };
    let taking = edges(&graph, ParticipatesIn);
    assert_eq!(taking.iter().map(|edge| edge.1).collect::<Vec<_>>(), [first, second]);
    let (holds, because) = why(&graph, ParticipatesIn, taking[0].0, second);
    assert!(!holds && because.contains("initialised again"), "{because}");
    // It is one place in memory: what changes it is observed in one order.
    assert_eq!(graph.drawn(&[ModificationOrder]).count(), 5);
}

const MEETING: &str = "target opencl\nlaunch subgroups=1 items=2\nkernel {\n  work_group_barrier(mem_fence::local)\n}\n";

#[test]
fn work_items_synchronise_at_a_barrier() {
    let graph = shown(MEETING);
    assert!(graph.about().is_some_and(|it| it.contains("OpenCL")));
    assert_eq!(
        edges(&graph, ParticipatesIn),
        [
            ("0.0:0", "0.0:0+wait"),
            ("0.0:0", "0.1:0+wait"),
            ("0.1:0", "0.0:0+wait"),
            ("0.1:0", "0.1:0+wait")
        ]
    );
    let (holds, because) = why(&graph, ParticipatesIn, "0.0:0", "0.1:0+wait");
    assert!(holds && because.contains("phase 1 of work-group barrier"), "{because}");
    assert_eq!(edges(&graph, ModificationOrder), [("0.0:0", "0.1:0")]);
}

#[test]
fn a_split_barrier_has_phases() {
    let text = "target opencl\nlaunch subgroups=1 items=2\nkernel {\n  repeat 2 {\n    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE)\n\
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE)\n  }\n}\n";
    let graph = shown(text);
    let waits = graph.graph.raw_nodes().iter().filter(|node| node.weight.kind == "wait");
    let phases: Vec<_> = waits.map(|node| (node.weight.agent, node.weight.phase)).collect();
    let all = [(0, Some(1)), (0, Some(2)), (1, Some(1)), (1, Some(2))];
    assert!(all.iter().all(|one| phases.contains(one)) && phases.len() == 4, "{phases:?}");
    assert_eq!(edges(&graph, ParticipatesIn).len(), 8);
}

#[test]
fn a_blocked_work_item_waits_in_the_stepper() {
    let scene = Scene::new("x.tide", MEETING);
    let mut stepper = crate::step::Stepper::new(&scene, &Options::default()).expect("a stepper");
    assert_eq!(stepper.load(&[String::from("0.1:0")]), 1);
    let graph = stepper.graph().expect("a graph");
    assert_eq!(keys(&graph), ["0.1:0", "0.1:0+wait"]);
    assert!(graph.graph.raw_nodes()[1].weight.pending);
    assert_eq!([0, 1].map(|it| graph.step_of(it)), [Some(0), None]);
}

#[test]
fn barriers_of_two_documents_have_no_graph() {
    let text = "target gfx950\nlaunch waves=1\nmbarrier n\nwave 0 {\n  arrive wg\n  mbarrier.init.shared::cta.b64 [n], 1\n}\n";
    let scene = Scene::new("x.tide", text);
    let tried = graph(&scene, &Options::default(), Pick::default(), &mut |_| true);
    assert_eq!(tried.err(), Some(GraphError::NoRelations));
    let none = format!(
        "{:?}",
        crate::step::Stepper::new(&scene, &Options::default()).map(|it| it.graph().is_none())
    );
    assert_eq!(none, "Some(true)");
}

#[test]
fn the_writes_of_a_copy_are_known_after_the_wait_for_its_bytes() {
    let graph = with_memory(&COPIED.replace("@!p bra W\n", "@!p bra W\n  load tile\n"));
    assert!(graph.has_memory());
    let [copy, load] = ["0.0:3+copy", "0.1:2"];
    let (holds, because) = why(&graph, RelationId::HappensBeforeLocal, copy, load);
    assert!(holds && because.contains("completes bytes of `copy of"), "{because}");
    assert!(because.contains("because that phase completed"), "{because}");
    let (holds, because) = why(&graph, RelationId::HappensBeforeLocal, load, copy);
    assert!(!holds && because.contains("reversed"), "{because}");
    let (holds, because) = why(&graph, RelationId::HappensBeforeLocal, "0.0:0", load);
    assert!(!holds && because.ends_with("accesses no local memory."), "{because}");
    let early = with_memory(
        &COPIED.replace("warp 1 {\n  bar.sync 0\n", "warp 1 {\n  bar.sync 0\n  load tile\n"),
    );
    let (holds, because) = why(&early, RelationId::HappensBeforeLocal, copy, "0.1:1");
    assert!(!holds && because.contains("warp 1 has not observed"), "{because}");
}

#[test]
fn a_relaxed_wait_orders_nothing_before_a_fence() {
    let text = |fence: &str| {
        format!(
            "target sm_90\nlaunch warps=2\nmbarrier m\nshared t[4]\n\
             warp 0 {{\n  mbarrier.init.shared::cta.b64 [m], 1\n  bar.sync 0\n  store t\n\
             mbarrier.arrive.release.cta.shared::cta.b64 _, [m]\n}}\n\
             warp 1 {{\n  bar.sync 0\n\
             W: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [m], 0\n  @!p bra W\n{fence}  load t\n}}\n"
        )
    };
    let (holds, because) =
        why(&with_memory(&text("")), RelationId::HappensBeforeLocal, "0.0:2", "0.1:2");
    assert!(
        !holds && because.contains("does not synchronise with `mbarrier.try_wait"),
        "{because}"
    );
    assert!(because.contains("mbarrier.try_wait"), "{because}");
    let fenced = with_memory(&text("  fence acquire\n"));
    let (holds, because) = why(&fenced, RelationId::HappensBeforeLocal, "0.0:2", "0.1:3");
    assert!(holds && because.contains("warp 1 observes at `fence acquire`"), "{because}");
}

#[test]
fn the_flags_of_a_barrier_select_the_ordered_memory() {
    let text = |flags: &str| {
        format!(
            "target opencl\nlaunch subgroups=2\nlocal t[4]\n\
             kernel {{\n  if get_sub_group_id() == 0 {{\n    store t\n  }}\n\
             work_group_barrier(mem_fence::{flags})\n\
             if get_sub_group_id() == 1 {{\n    load t\n  }}\n}}\n"
        )
    };
    let local = with_memory(&text("local"));
    let (holds, because) = why(&local, RelationId::HappensBeforeLocal, "0.0:0", "0.1:1");
    assert!(holds && because.contains("because that phase completed"), "{because}");
    let (holds, because) = why(&local, RelationId::HappensBeforeGlobal, "0.0:0", "0.1:1");
    assert!(!holds && because.ends_with("accesses no global memory."), "{because}");
    let global = with_memory(&text("global"));
    let (holds, because) = why(&global, RelationId::HappensBeforeLocal, "0.0:0", "0.1:1");
    assert!(!holds && because.contains("their flags or their scope"), "{because}");
}

#[test]
fn a_missing_edge_through_a_copy_names_the_copy() {
    let text = COPIED.replace("cp.async.bulk", "store src\n  cp.async.bulk");
    let graph = with_memory(&text.replace("@!p bra W\n", "@!p bra W\n  load src\n"));
    let (holds, because) = why(&graph, RelationId::HappensBeforeGlobal, "0.0:3", "0.1:2");
    assert!(!holds && because.contains("a copy does not release"), "{because}");
    let (holds, because) = why(&graph, RelationId::HappensBeforeLocal, "0.0:4", "0.1:2");
    assert!(!holds && because.contains("itself accesses no memory: `copy of"), "{because}");
}

#[test]
fn a_group_that_was_waited_for_reading_has_been_read_and_not_written() {
    let text = "target sm_90\nlaunch warps=1\nshared tile[64]\nglobal dst[64]\nwarp 0 {\n\
        store tile\n  cp.async.bulk.global.shared::cta.bulk_group [dst], [tile], 64\n\
        cp.async.bulk.commit_group\n  cp.async.bulk.wait_group.read 0\n  store tile\n  load dst\n}\n";
    let graph = with_memory(text);
    let (holds, because) = why(&graph, RelationId::HappensBeforeLocal, "0.0:1+copy", "0.0:4");
    assert!(holds && because.contains("at `cp.async.bulk.wait_group.read 0`"), "{because}");
    assert!(because.ends_with("has been read."), "{because}");
    let (holds, because) = why(&graph, RelationId::HappensBeforeGlobal, "0.0:1+copy", "0.0:5");
    assert!(!holds && because.ends_with("is complete."), "{because}");
}

#[test]
fn each_cta_knows_its_own_part_of_a_copy_to_several() {
    let text = "target sm_90\nlaunch clusters=1 ctas=2 warps=1\nmbarrier full\nshared tile[64]\nglobal src[64]\n\
        warp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1\n  barrier.cluster.arrive\n  barrier.cluster.wait\n\
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64\n  if workgroup_id == 0 {\n\
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [src], 64, [full], 3\n  }\n\
        L: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra L\n  load tile\n}\n";
    let graph = with_memory(text);
    let copy = graph.graph.raw_nodes().iter().position(|it| it.weight.kind == "async-copy");
    let loads = graph.graph.raw_nodes().iter().enumerate();
    let loads: Vec<usize> =
        loads.filter(|(_, it)| it.weight.kind == "load").map(|(at, _)| at).collect();
    assert_eq!(loads.len(), 2);
    for load in loads {
        let why = graph.why(RelationId::HappensBeforeLocal, copy.expect("the copy"), load);
        assert!(why.holds, "{why:?}");
        assert!(why.because.join(" ").contains("completes bytes of"), "{why:?}");
    }
}
