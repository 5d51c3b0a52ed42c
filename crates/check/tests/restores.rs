//! Edits for scenarios in which one synchronisation operation is missing, misplaced or wrong.

use crate::common::judged;
use std::fs;
use std::path::Path;
use tidegate_check::report::Report;
use tidegate_check::{Options, apply};

/// A scenario of the conformance tests with one change.
fn changed(file: &str, (old, new): (&str, &str)) -> (String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let text = fs::read_to_string(root.join(file)).unwrap();
    assert!(text.contains(old), "{file}: {old}");
    let changed = text.replacen(old, new, 1);
    (text, changed)
}

fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ';').collect()
}

/// The messages of the offered edits.
fn offered(report: &Report) -> Vec<String> {
    report.findings.iter().filter_map(|it| Some(it.fix.as_ref()?.message.clone())).collect()
}

/// The offered edit restores the scenario, and the first reason names the change.
pub(crate) fn restores(file: &str, change: (&str, &str), named: &str) {
    let (text, changed) = changed(file, change);
    let report = judged(&changed, &Options::default());
    let finding = &report.findings[0];
    let fix = finding.fix.clone().unwrap_or_else(|| panic!("{file}: {change:?}: {report:?}"));
    assert_eq!(words(&apply(&changed, &fix)), words(&text), "{file}: {change:?}");
    assert!(finding.because[0].contains(named), "{file}: {:?}", finding.because);
}

/// No offered edit contains some words.
fn offers_no(file: &str, change: (&str, &str), words: &str) {
    let report = judged(&changed(file, change).1, &Options::default());
    assert_ne!(report.verdict, "ok", "{file}: {change:?}");
    let offered = offered(&report);
    assert!(offered.iter().all(|it| !it.contains(words)), "{file}: {change:?}: {offered:?}");
}

#[test]
fn a_wrong_count_is_corrected() {
    let file = "ptx/a-barrier-of-all-threads-releases-at-an-end.tide";
    restores(file, ("barrier.sync 1, 96", "barrier.sync 1, 64"), "must be `barrier.sync 1, 96`");
    let file = "ptx/holds-async-copy-outstanding-at-exit.tide";
    restores(file, ("_, [full], 64", "_, [full], 96"), "[full], 96` (line 12) must be");
    let file = "opencl/holds-named-type-copied.tide";
    restores(file, ("a(2)", "a(3)"), "must be `local<work_group_named_barrier> a(2)`");
    let file = "sass/predicates.tide";
    restores(file, ("[b], 32", "[b], 0"), "must be `mbarrier.init.shared.b64 [b], 32`");
}

#[test]
fn a_wrong_barrier_is_corrected() {
    let change = ("barrier_wait(empty[0], k)", "barrier_wait(full[0], k)");
    restores("ptx/endless-pipeline.tide", change, "must be `tlx.barrier_wait(empty[0], k)`");
}

#[test]
fn a_missing_counterpart_is_added() {
    let file = "ptx/holds-async-copy-outstanding-at-exit.tide";
    let group = "cp.async.bulk.commit_group";
    restores(file, (group, ""), "`cp.async.bulk.commit_group` is missing after");
    let wait = "cp.async.bulk.wait_group 0";
    let tiles = "ptx/tiles-of-two-warps-apart.tide";
    restores(tiles, (wait, ""), "`cp.async.bulk.wait_group 0` is missing after");
    let expect = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64";
    restores(file, (expect, ""), "[full], 64` is missing");
    let file = "ptx-forms/init-most.tide";
    let init = "mbarrier.init.shared::cta.b64 [b], 1048575";
    restores(file, (init, ""), "[b], 1048575` is missing before");
    let file = "async/publish-to-another-wave.tide";
    restores(file, ("wait_asyncmark 0", ""), "`wait_asyncmark 0` is missing before");
}

#[test]
fn a_count_is_not_lowered_for_a_missing_arrive() {
    let lower = ["`init n, 1`", "[b], 1`"];
    offers_no("amd/drop-completes-a-phase.tide", ("drop n", ""), lower[0]);
    offers_no("amd/holds-drop-race.tide", ("arrive n", ""), lower[0]);
    let arrive = "mbarrier.arrive_drop.shared.b64 _, [b]";
    offers_no("ptx-forms/drop-lowers-later-phases.tide", (arrive, ""), lower[1]);
    let file = "opencl/holds-named-type.tide";
    offers_no(file, ("b.wait(mem_fence::local)", ""), "a(1)");
    offers_no(
        "sass/arrive-without-a-token.tide",
        ("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [full], RZ", ""),
        "[full], 2",
    );
}

#[test]
fn no_edit_loosens_an_order() {
    // The agent would no longer wait for its last arrive.
    let wait = "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE)";
    offers_no("opencl/holds-split-arrive-twice.tide", (wait, ""), "move");
    // The barrier in the loop separates its iterations.
    let barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n  for";
    offers_no("opencl/pasted-sparse-rows.tide", (barrier, "for"), "move");
    // The wait is for the phase after that of the own arrive.
    let arrive = "tlx.barrier_wait(bars[0], 0)\n  tlx.barrier_arrive(bars[0])";
    let change = (arrive, "tlx.barrier_wait(bars[0], 0)");
    offers_no("tlx/arrive-count-of-two-phases.tide", change, "write");
    // A missing barrier is not replaced by one of another place.
    let text = "target sm_90\nlaunch warps=2\nshared t[8]\nwarp 0 {\n  store t[0..4]\n  barrier.sync 0\n  store t[0..4]\n}\nwarp 1 {\n  load t[0..4]\n}\n";
    assert!(offered(&judged(text, &Options::default())).iter().all(|it| !it.contains("move")));
}

/// The text after the offered edit.
pub(crate) fn edited(text: &str) -> String {
    let report = judged(text, &Options::default());
    let fix = report.findings[0].fix.clone();
    let fix = fix.unwrap_or_else(|| panic!("{text}: {:?}", report.findings));
    apply(text, &fix)
}

const WAIT: &str = "W: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n  @!p bra W\n";

#[test]
fn an_agent_that_waits_does_not_arrive_for_another() {
    let arrive = "mbarrier.arrive.shared::cta.b64 _, [b]";
    let text = format!(
        "target sm_90\nlaunch warps=2\nmbarrier b\nwarp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  bar.sync 0\n}}\n\
        warp 1 {{\n  bar.sync 0\n  {WAIT}}}\n"
    );
    let after = edited(&text);
    let (first, second) = after.split_once("warp 1 {").unwrap();
    assert!(first.contains(arrive) && !second.contains(arrive), "{after}");
    let text = "target sm_90\nlaunch warps=3\nbars = tlx.alloc_barriers(1, arrive_count=2)\n\
        warp 0 {\n  tlx.barrier_arrive(bars[0])\n}\nwarp 1 {\n  bar.sync 3, 64\n}\n\
        warp 2 {\n  bar.sync 3, 64\n  tlx.barrier_wait(bars[0], 0)\n}\n";
    let after = edited(text);
    assert!(after.split("warp 2 {").nth(1).is_some_and(|it| !it.contains("arrive")), "{after}");
}

#[test]
fn a_label_stays_where_it_is() {
    let text = "target sm_90\nlaunch warps=2\nshared t[64]\nwarp 0 {\n  store t[0..32]\n  bar.sync 0\n}\n\
        warp 1 {\n  load t[0..32]\n  L: bar.sync 0\n}\n";
    let report = judged(text, &Options::default());
    for fix in report.findings.iter().filter_map(|it| it.fix.as_ref()) {
        assert!(apply(text, fix).contains("load t[0..32]\n  L: "), "{fix:?}");
    }
}

#[test]
fn a_count_of_threads_becomes_that_of_the_warps_there() {
    let text = "target sm_90\nlaunch warps=3\nshared t[64]\nwarp 0 {\n  store t[0..8]\n  bar.arrive 1, 64\n}\n\
        warp 1-2 {\n  bar.sync 1, 96\n  load t[0..8]\n}\n";
    assert!(edited(text).contains("bar.arrive 1, 96"));
    // The count of the whole CTA would only complete because the others end.
    let text = "target sm_90\nlaunch warps=3\nshared t[64]\nwarp 0 {\n  store t[0..32]\n  bar.sync 1, 64\n}\n\
        warp 1 {\n  load t[32..64]\n}\nwarp 2 {\n  load t[32..64]\n}\n";
    let report = judged(text, &Options::default());
    assert!(offered(&report).iter().all(|it| !it.contains(", 96") && !it.contains(", 32")));
    let help = report.findings[0].remedy.clone().unwrap_or_default();
    assert!(!help.contains("thread count 32"), "{help}");
}

#[test]
fn a_join_of_the_workgroup_barrier_names_another() {
    let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
        wave 0 {\n  init b, 2\n  s_barrier_signal -1\n  s_barrier_wait -1\n  s_barrier_join -1\n  s_barrier_signal 1\n  s_barrier_wait 1\n}\n\
        wave 1 {\n  s_barrier_signal -1\n  s_barrier_wait -1\n  s_barrier_join 1\n  s_barrier_signal 1\n  s_barrier_wait 1\n}\n";
    assert!(!edited(text).contains("s_barrier_join -1"));
    assert_eq!(edited(text).matches("s_barrier_join 1").count(), 2);
}

#[test]
fn a_late_init_returns_before_its_barrier() {
    let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
        wave 0 {\n  arrive wg\n  wait wg\n  init b, 2\n  join b\n  arrive b\n  wait b\n}\n\
        wave 1 {\n  arrive wg\n  wait wg\n  join b\n  arrive b\n  wait b\n}\n";
    let after = edited(text);
    assert!(words(&after).contains("initb,2arrivewgwaitwgjoinb"), "{after}");
    assert_eq!(after.matches("arrive wg").count(), 2, "{after}");
}

#[test]
fn a_missing_barrier_is_spelled_like_its_mirror() {
    for barrier in ["bar.sync 0", "barrier.sync.aligned 0"] {
        let text = format!(
            "target sm_90\nlaunch warps=3\nmbarrier b\nwarp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  {barrier}\n  mbarrier.arrive.shared::cta.b64 _, [b]\n}}\n\
            warp 1 {{\n  {WAIT}}}\nwarp 2 {{\n  {barrier}\n  {WAIT}}}\n"
        );
        let after = edited(&text);
        assert_eq!(after.matches(barrier).count(), 3, "{after}");
    }
}

#[test]
fn a_wait_that_leaves_copies_running_gets_another_number() {
    let text = "target sm_90\nlaunch warps=2\nshared a[64]\nglobal g[64]\n\
        warp 0 {\n  cp.async.ca.shared.global [a], [g], 16\n  cp.async.commit_group\n  cp.async.wait_group 1\n  bar.sync 0\n}\n\
        warp 1 {\n  bar.sync 0\n  load a[0..16]\n}\n";
    assert!(edited(text).contains("commit_group\n  cp.async.wait_group 0\n  bar.sync 0"));
}

#[test]
fn an_arrive_before_a_copy_expects_its_bytes() {
    let text = "target sm_90\nlaunch warps=2\nmbarrier b\nshared a[64]\nglobal g[64]\n\
        warp 0 {\n  mbarrier.init.shared::cta.b64 [b], 1\n  bar.sync 0\n  mbarrier.arrive.shared::cta.b64 _, [b]\n  \
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [g], 64, [b]\n}\n";
    let text = format!("{text}warp 1 {{\n  bar.sync 0\n  {WAIT}  load a[0..64]\n}}\n");
    assert!(edited(&text).contains("mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 64"));
    let text = "target sm_90\nlaunch warps=2\nfull = tlx.alloc_barriers(1, arrive_count=1)\nshared a[64]\nglobal g[64]\n\
        warp 0 {\n  tlx.barrier_arrive(full[0])\n  tlx.async_descriptor_load(g, a, [0], full[0])\n}\n\
        warp 1 {\n  tlx.barrier_wait(full[0], 0)\n  load a[0..64]\n}\n";
    assert!(edited(text).contains("tlx.barrier_expect_bytes(full[0], 64)"));
}

#[test]
fn no_edit_makes_an_arrive_or_a_count_less() {
    // The wait would return at once, and the arrive would complete nothing for it.
    let wait = ("p, [b], 0", "p, [b], 1");
    offers_no("ptx/holds-mbarrier-missing-wait.tide", wait, "move");
    // Either count may be the wrong one, and no other object shows which.
    let count = ("bars[0], arrive_count=2", "bars[0], arrive_count=1");
    offers_no("tlx/breaks-single-arrive.tide", count, "alloc_barriers(1, arrive_count=1)");
}

#[test]
fn an_agent_neither_leaves_its_barrier_nor_satisfies_its_own_wait() {
    // A wave with `join null` would leave its barrier.
    offers_no("amd/unjoin-with-null.tide", ("init n, 2", "init n, 4"), "join null");
    // The only arrive of the phase would be by the agent that waits.
    let file = "ptx/holds-mbarrier-parity-alias.tide";
    let arrive = "mbarrier.arrive.shared::cta.b64 _, [answer]";
    offers_no(file, (arrive, ""), "instead of `mbarrier.arrive");
}

#[test]
fn a_barrier_of_all_warps_is_not_added_for_some() {
    let file = "ptx/holds-mbarrier-never-completes.tide";
    let wait = "_, [b]\n  M: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 1\n  @!p bra M\n}";
    offers_no(file, ("_, [b]\n}", wait), "add `bar.sync 0`");
}

/// The offered edit, or nothing.
pub(crate) fn offer(text: &str) -> String {
    offered(&judged(text, &Options::default())).first().cloned().unwrap_or_default()
}

#[test]
fn no_edit_releases_an_agent_that_waits() {
    let text = "target gfx1250\nlaunch waves=1\nbarrier p = named(1)\nwave 0 { init p, 1; join p; wait null }\n";
    assert_eq!(offer(text), "");
    let text = "target gfx1250\nlaunch waves=2\nbarrier n = named(1)\n\
        wave 0 {\n  init n, 4\n  join n\n  arrive wg; wait wg\n  arrive n\n  join null\n  wait n\n}\n\
        wave 1 {\n  join n\n  arrive wg; wait wg\n  arrive n\n  wait n\n}\n";
    assert!(!offer(text).contains("join null"), "{}", offer(text));
    let text = "target gfx1250\nlaunch waves=3\nbarrier n = named(1)\n\
        wave 0 {\n  init n, 3\n  join n\n  arrive wg; wait wg\n  arrive n\n  wait n\n}\n\
        wave 1 {\n  join n\n  arrive wg; wait wg\n  drop n\n}\n\
        wave 2 {\n  join n\n  arrive wg; wait wg\n}\n";
    assert!(!offer(text).contains("drop n"), "{}", offer(text));
}

#[test]
fn an_arrive_of_another_object_does_not_complete_the_own_wait() {
    let arrive = |name: &str| format!("  mbarrier.arrive.shared::cta.b64 _, [{name}]\n");
    let wait = |name: &str| {
        format!("  L: mbarrier.try_wait.parity.shared::cta.b64 p, [{name}], 0\n  @!p bra L\n")
    };
    let text = format!(
        "target sm_90\nlaunch warps=2\nmbarrier b\nmbarrier answer\n\
        warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  mbarrier.init.shared::cta.b64 [answer], 1\n  bar.sync 0\n{}{}{}}}\n\
        warp 1 {{\n  bar.sync 0\n{}}}\n",
        arrive("b"),
        wait("answer"),
        arrive("b"),
        wait("b")
    );
    let after = edited(&text);
    assert!(after.split("warp 1 {").nth(1).is_some_and(|it| it.contains("[answer]")), "{after}");
}

#[test]
fn a_round_that_one_agent_has_is_added_to_the_other() {
    let text = "target gfx1250\nlaunch waves=2\nglobal tile[64]\n\
        wave 0 {\n  store tile[0..32]\n  fence release workgroup\n  arrive wg; wait wg\n}\n\
        wave 1 {\n  fence acquire workgroup\n  load tile[0..32]\n}\n";
    assert_eq!(offer(text), "add `arrive wg; wait wg` before `fence acquire workgroup` (line 10)");
    let text = "target gfx1250\nlaunch clusters=1 workgroups=2 waves=1\nglobal flag[4]\n\
        workgroup 0 wave 0 {\n  store flag\n  fence release cluster\n  arrive cluster; wait cluster\n}\n\
        workgroup 1 wave 0 {\n  fence acquire agent\n  load flag\n}\n";
    let round = "add `arrive cluster; wait cluster` before `fence acquire agent` (line 10)";
    assert_eq!(offer(text), round);
    let text = "target gfx1250\nlaunch waves=2\nbarrier n = named(1)\n\
        wave 0 {\n  init n, 2\n  arrive wg; wait wg\n  join n\n  arrive n\n  wait n\n}\n\
        wave 1 {\n  join n\n  arrive n\n  wait n\n}\n";
    let after = edited(text);
    assert!(after.contains("wave 1 {\n  arrive wg\n  wait wg\n  join n"), "{after}");
}

#[test]
fn products_and_copies_arrive_when_they_are_complete() {
    let text = "target sm_100\nlaunch warps=2\n\
        a = tlx.local_alloc((8, 8), tl.float16, 1)\nb = tlx.local_alloc((8, 4), tl.float16, 1)\n\
        acc = tlx.local_alloc((8, 4), tl.float32, 1, tlx.storage_kind.tmem)\n\
        done = tlx.alloc_barriers(1, arrive_count=1)\n\
        warp 0 {\n  tlx.async_dot(a[0], b[0], acc[0], use_acc=False, mBarriers=[], out_dtype=tl.float32)\n}\n\
        warp 1 {\n  tlx.barrier_wait(done[0], 0)\n}\n";
    assert!(offer(text).starts_with("add `tlx.tcgen05_commit(done[0])` after"), "{}", offer(text));
    let text = format!(
        "target sm_90\nlaunch warps=2\nmbarrier b\nshared t[64]\nglobal g[64]\n\
        warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  bar.sync 0\n  cp.async.ca.shared.global [t], [g], 16\n}}\n\
        warp 1 {{\n  bar.sync 0\n  {WAIT}  load t[0..16]\n}}\n"
    );
    let arrive = "add `cp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]` after `cp.async.ca";
    assert!(offer(&text).starts_with(arrive), "{}", offer(&text));
    let text = format!(
        "target sm_90\nlaunch warps=1\nmbarrier b\n\
        warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  mbarrier.complete_tx.shared.b64 [b], 16\n  {WAIT}}}\n"
    );
    let arrive = "add `mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16`";
    assert!(offer(&text).starts_with(arrive), "{}", offer(&text));
}

#[test]
fn the_products_of_other_ctas_have_no_counterpart_here() {
    let text = format!(
        "target sm_100\nlaunch clusters=1 ctas=2 warps=1\nmbarrier b\n\
        warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  barrier.cluster.arrive\n  barrier.cluster.wait\n  {WAIT}}}\n"
    );
    assert_eq!(offer(&text), "");
}

#[test]
fn no_agent_reaches_a_common_barrier_more_often_after_an_edit() {
    let arrive = "mbarrier.arrive.shared::cta.b64 _, [b]";
    let text = format!(
        "target sm_90\nlaunch warps=2\nmbarrier b\n\
        warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 2\n  bar.sync 0\n  {arrive}\n  {WAIT}}}\n\
        warp 1 {{\n  bar.sync 0\n  {arrive}\n  {}}}\n",
        WAIT.replace("[b], 0", "[b], 1")
    );
    assert!(offer(&text).starts_with("write `mbarrier.try_wait"), "{}", offer(&text));
    let (label, wait) = ("L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0", "cluster.wait");
    let text = format!(
        "target sm_90\nlaunch clusters=1 ctas=2 warps=1\nmbarrier b\n\
        cta 0 warp 0 {{\n  mbarrier.init.shared::cta.b64 [b], 1\n  fence.mbarrier_init.release.cluster\n  barrier.cluster.arrive\n  \
        {label}\n  barrier.{wait}\n  @!p bra L\n}}\n\
        cta 1 warp 0 {{\n  barrier.cluster.arrive\n  barrier.{wait}\n  mapa.shared::cluster.u32 r, b, 0\n  \
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]\n}}\n"
    );
    assert!(offer(&text).starts_with("move `barrier.cluster.wait`"), "{}", offer(&text));
    assert!(edited(&text).contains("barrier.cluster.wait\n  L: mbarrier"), "{}", edited(&text));
}

#[test]
fn a_statement_that_can_move_is_not_added_again() {
    let text = "target gfx1250\nlaunch waves=2\nlds tile[16]\n\
        wave 0 {\n  store tile\n  arrive wg; wait wg\n  fence release workgroup\n}\n\
        wave 1 {\n  arrive wg; wait wg\n  fence acquire workgroup\n  load tile\n}\n";
    assert_eq!(offer(text), "move `fence release workgroup` (line 7) before `arrive wg` (line 6)");
    let store = "tlx.async_descriptor_store";
    let text = format!(
        "target sm_90\nlaunch warps=1\nshared b[128]\nwarp 0 {{\n  {store}_wait(0)\n  {store}(desc, b, [64, 0])\n}}\n"
    );
    assert!(offer(&text).starts_with("move `tlx.async_descriptor_store_wait(0)` (line 5) after"));
}

#[test]
fn a_wait_does_not_move_after_what_it_protects() {
    let text = "target sm_90\nlaunch warps=2\nshared t[64]\n\
        full = tlx.alloc_barriers(1, arrive_count=1)\nempty = tlx.alloc_barriers(1, arrive_count=1)\n\
        warp 0 {\n  tlx.barrier_wait(empty[0], 0)\n  store t\n  tlx.barrier_arrive(full[0])\n}\n\
        warp 1 {\n  tlx.barrier_wait(full[0], 0)\n  load t\n  tlx.barrier_arrive(empty[0])\n}\n";
    assert!(!offer(text).contains("move"), "{}", offer(text));
}

/// The help of the first finding.
fn help(text: &str) -> String {
    judged(text, &Options::default()).findings[0].remedy.clone().unwrap_or_default()
}

#[test]
fn an_object_without_an_init_needs_one() {
    let text = "target sm_90\nlaunch clusters=1 ctas=2 warps=1\nmbarrier b\n\
        cta 0 warp 0 {\n  barrier.cluster.arrive\n  barrier.cluster.wait\n}\n\
        cta 1 warp 0 {\n  barrier.cluster.arrive\n  barrier.cluster.wait\n  mapa.shared::cluster.u32 r, b, 0\n  \
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]\n}\n";
    assert!(help(text).starts_with("initialise `b` of cta 0"), "{}", help(text));
}

#[test]
fn one_elected_thread_of_a_kernel_arrives_once() {
    let text = "target sm_90\n.shared .align 8 .b64 full\n.visible .entry k()\n.reqntid 128 {\n  \
        mov.u32 %r1, %tid.x\n  setp.ne.u32 %p1, %r1, 0\n  @%p1 bra R\n  mbarrier.init.shared::cta.b64 [full], 128\n  \
        R:\n  bar.sync 0\n  elect.sync _|%p3, 0xffffffff\n  @%p3 mbarrier.arrive.shared::cta.b64 _, [full]\n  \
        W:\n  mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0\n  @!%p2 bra W\n  ret\n}\n";
    assert!(help(text).starts_with("`elect.sync` selects one thread"), "{}", help(text));
}

#[test]
fn a_barrier_does_not_move_past_an_atomic_operation() {
    let barrier = "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n  atomic_fetch_add";
    restores(
        "opencl/holds-atomic-init.tide",
        (barrier, "  atomic_fetch_add"),
        "`work_group_barrier(CLK_LOCAL_MEM_FENCE)` is missing",
    );
}

#[test]
fn no_edit_leaves_arrivals_of_an_incomplete_phase() {
    let wait = "  tlx.named_barrier_wait(10, 64)\n  tlx.named_barrier_arrive(9, 64)\n";
    restores(
        "tlx/pingpong-primed.tide",
        (wait, "  tlx.named_barrier_arrive(9, 64)\n"),
        "`tlx.named_barrier_wait(10, 64)` is missing",
    );
}

#[test]
fn an_agent_that_is_blocked_before_its_arrive_gets_no_other() {
    let text = "target sm_90\nlaunch warps=3\nnext = tlx.alloc_barriers(1, 1)\n\
        warp 0-1 {\n  tlx.barrier_wait(next[0], 0)\n}\n\
        warp 2 {\n  bar.sync 1, 96\n  tlx.barrier_arrive(next[0])\n}\n";
    assert!(!offer(text).contains("barrier_arrive"), "{}", offer(text));
}
