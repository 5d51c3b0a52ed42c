//! Messages about a deadlock and about a race of a copy.

use crate::report::{Cause, Finding, Value};
use crate::testing::{edits, kinds, lines};
use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The first finding of a scenario with an mbarrier of `count` arrivals, a body for the first warp, and one for the
/// others.
fn found(warps: u32, count: u32, first: &str, others: &str) -> (String, Finding) {
    let others: String =
        (1..warps).map(|warp| format!("warp {warp} {{\nbar.sync 0\n{others}\n}}\n")).collect();
    let text = format!(
        "target sm_90\nlaunch warps={warps}\nmbarrier full\nshared tile[128]\nglobal src[128]\n
         warp 0 {{\nmbarrier.init.shared::cta.b64 [full], {count}\nbar.sync 0\n{first}\n}}\n{others}"
    );
    let scene = Scene::new("x.tide", &text);
    let report = check(&scene, &Options::default(), &mut |_| true);
    (text, report.findings.into_iter().next().expect("a finding"))
}

/// Parity, phase, arrivals, expected arrivals and missing bytes of a blocked wait.
fn counts(blocked: &Cause) -> [i64; 5] {
    ["parity", "phase", "arrived", "expected", "bytes"].map(|field| match blocked.fields[field] {
        Value::Number(number) => number,
        _ => panic!("{field} is a number: {blocked:?}"),
    })
}

const ARRIVE: &str = "mbarrier.arrive.shared::cta.b64 _, [full]";
const COPY: &str = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128\n
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [src], 128, [full]";

fn wait(parity: u32) -> String {
    format!(
        "loop {{ mbarrier.try_wait.parity.shared::cta.b64 p, [full], {parity}; if p {{ break }} }}"
    )
}

#[test]
fn a_parity_that_no_phase_completes_is_fixed_by_the_missing_arrival() {
    let (text, finding) = found(2, 1, ARRIVE, &format!("{}\n{}", wait(0), wait(1)));
    assert_eq!(counts(&finding.cause.facts[0]), [1, 1, 0, 1, 0]);
    assert!(kinds(&finding).contains(&"other-parity-would-return"), "{finding:?}");
    // With parity 0 the second wait would wait for nothing.
    assert_eq!(edits(&finding), [(14, &*format!("{ARRIVE}; "))]);
    let mended = crate::edit::fix::apply(&text, &finding.fix.expect("a fix"));
    let report = check(&Scene::new("x.tide", &mended), &Options::default(), &mut |_| true);
    assert_eq!(report.verdict, "ok", "{mended}");
}

#[test]
fn the_other_parity_is_not_offered_if_it_also_deadlocks() {
    let rounds = format!("{}\n{}\n{ARRIVE}\n{ARRIVE}\nbar.sync 1, 96", wait(0), wait(1));
    let (_, finding) = found(2, 1, ARRIVE, &rounds);
    assert!(kinds(&finding).contains(&"arrives-after-wait"), "{finding:?}");
    assert!(finding.fix.is_none(), "{finding:?}");
}

#[test]
fn common_facts_of_warps_are_reported_once() {
    let (_, finding) = found(3, 3, ARRIVE, &wait(0));
    // They are consumers of warp 0, as far as the checker knows, so they need not arrive.
    assert_eq!(kinds(&finding), ["blocked", "no-arrive-remains", "no-agent-continues"]);
    assert_eq!(finding.cause.facts[0].names("agents"), ["warp 1", "warp 2"]);
    assert_eq!(counts(&finding.cause.facts[0]), [0, 0, 1, 3, 0]);
    let (_, finding) = found(3, 3, &format!("{ARRIVE}\n{}", wait(0)), &wait(0));
    assert_eq!(finding.cause.kind, "waits-without-arriving");
    assert_eq!(finding.cause.names("agents"), ["warp 1", "warp 2"]);
    let half = finding.cause.facts_of("phase-half-arrived").next().expect("a phase");
    assert_eq!(half.names("arrived"), ["warp 0"]);
    assert_eq!(half.names("missing"), ["warp 1", "warp 2"]);
}

#[test]
fn missing_arrivals_name_their_agents() {
    // Warp 1 does not free the stage in the first iteration, and waits for the next one.
    let text = "target sm_90\nlaunch warps=3\nmbarrier full\nmbarrier empty\nwarp 0 {\n\
        mbarrier.init.shared::cta.b64 [full], 1\n  mbarrier.init.shared::cta.b64 [empty], 2\n  bar.sync 0\n\
        mbarrier.arrive.shared::cta.b64 _, [full]\n\
        E: mbarrier.try_wait.parity.shared::cta.b64 p, [empty], 0\n  @!p bra E\n\
        mbarrier.arrive.shared::cta.b64 _, [full]\n}\n\
        warp 1 {\n  bar.sync 0\n  F: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra F\n\
        G: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 1\n  @!p bra G\n  mbarrier.arrive.shared::cta.b64 _, [empty]\n}\n\
        warp 2 {\n  bar.sync 0\n  F: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra F\n\
        mbarrier.arrive.shared::cta.b64 _, [empty]\n}\n";
    let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
    let half = report.findings[0].cause.facts_of("phase-half-arrived").next().expect("a phase");
    assert_eq!(half.object(), Some("empty"));
    assert_eq!(
        (half.names("arrived"), half.names("missing")),
        (&["warp 2".into()][..], &["warp 1".into()][..])
    );
}

#[test]
fn bytes_that_no_copy_completes() {
    let expect = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128";
    let (_, finding) = found(2, 1, expect, &wait(0));
    assert_eq!(kinds(&finding), ["blocked", "no-copy-remains", "no-agent-continues"]);
    assert_eq!(counts(&finding.cause.facts[0]), [0, 0, 1, 1, 128]);
}

#[test]
fn a_race_names_the_copy_and_the_access() {
    let (_, finding) = found(1, 1, &format!("{COPY}\nload tile[0..64]\n{}", wait(0)), "");
    assert_eq!(finding.rule, "ptx.async-copy.access");
    assert_eq!(finding.cause.object(), Some("tile"));
    assert_eq!(lines(&finding), [12, 13, 13]);
    assert_eq!(kinds(&finding), ["copy-phase-not-waited"]);
    assert_eq!(finding.cause.facts[0].object(), Some("full"));
    let (_, finding) = found(2, 1, COPY, "store tile[0..4]");
    assert_eq!(finding.rule, "ptx.async-copy.access");
    let agents: Vec<&str> = finding.cause.places().iter().map(|it| it.agent.as_str()).collect();
    assert_eq!(agents, ["copy of warp 0", "warp 1", "warp 1"]);
}

#[test]
fn unexplored_schedules_are_not_counted() {
    let text = "target sm_90\nb = tlx.alloc_barriers(1, 1)\nwarp 0 {\n
        choose { tlx.barrier_wait(b[0], 0) } or { repeat 40 { choose { fence.acq_rel.cta } or { } } }\n}\n
        expect schedules some";
    let scene = Scene::new("x.tide", text);
    let got = |max_states| {
        let options = Options { max_states, ..Options::default() };
        let report = check(&scene, &options, &mut |_| true);
        assert!(report.findings.iter().any(|finding| finding.class == "deadlock"));
        let outcomes = crate::expect::expectations(&scene, &options, &mut |_| true);
        (report.exhaustive, outcomes[0].passed, outcomes[0].got.clone())
    };
    assert_eq!(got(None), (true, true, "schedules some".into()));
    assert_eq!(got(Some(20)), (false, false, "schedules unknown: search limit reached".into()));
}

#[test]
fn a_count_of_lanes_is_not_changed_to_one_of_warps() {
    let body = format!("{ARRIVE}\n{}", wait(0));
    let (_, finding) = found(4, 128, &body, &body);
    let remedy = finding.remedy.unwrap();
    assert!(remedy.contains("`lanes=32`") && !remedy.contains("initialise it with"), "{remedy}");
    let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    assert!(!edits.any(|edit| edit.replacement.contains("mbarrier.init")), "{:?}", finding.fix);
    // One warp of four does not arrive: no count of the remaining warps is offered either.
    let (_, finding) = found(4, 128, &wait(0), &body);
    assert!(!finding.remedy.unwrap().contains("initialise it with 3"));
}
