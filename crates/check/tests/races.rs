//! The message of a race on an NVIDIA target names the wait that returned too early, the missing wait or arrive, or the
//! two operations that do not synchronise.

use tidegate_check::report::Finding;
use tidegate_check::{Options, Scene, check};

const HEAD: &str = "target sm_90\nlaunch warps=2\nmbarrier b\nshared x[16]\n";

fn race(first: &str, second: &str) -> Finding {
    let text = format!(
        "{HEAD}warp 0 {{\nmbarrier.init.shared::cta.b64 [b], 1\nbar.sync 0\n{first}\n}}\nwarp 1 {{\nbar.sync 0\n{second}\n}}\n"
    );
    let scene = Scene::new("races.tide", &text);
    let report = check(&scene, &Options::default(), &mut |_| true);
    let race = report.findings.into_iter().find(|finding| finding.rule == "mem.race");
    race.unwrap_or_else(|| panic!("no race: {text}"))
}

fn remedy(told: &Finding) -> &str {
    told.remedy.as_deref().unwrap_or_default()
}

/// Whether one of the notes contains the text; the first note can be that of the edit.
fn says(told: &Finding, words: &str) -> bool {
    told.because.iter().any(|said| said.contains(words))
}

/// Whether the edit adds or changes an operation.
fn edits(told: &Finding, words: &str) -> bool {
    told.fix.as_ref().is_some_and(|fix| fix.message.starts_with(words))
}

fn wait(parity: u8) -> String {
    format!("L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], {parity}\n@!p bra L")
}

#[test]
fn a_wait_that_returns_too_early_is_reported() {
    let arrive = "store x\nmbarrier.arrive.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(1)));
    assert_eq!(
        told.message,
        "`load x` (warp 1, line 15) reads bytes of `x` that `store x` (warp 0, line 8) writes, and the two are unordered"
    );
    assert!(
        says(
            &told,
            "`mbarrier.try_wait.parity.shared::cta.b64 p, [b], 1` (warp 1, line 13) returned before any phase was complete"
        ),
        "{told:?}"
    );
    assert!(edits(&told, "write `mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0`"), "{told:?}");
}

#[test]
fn a_missing_wait_is_reported() {
    let told = race("store x\nmbarrier.arrive.shared.b64 _, [b]", "load x");
    assert!(says(&told, "reaches `mbarrier.arrive"), "{told:?}");
    // The earlier barrier orders the init and stays there.
    assert!(told.because[0].contains("mbarrier.try_wait"), "{told:?}");
    assert!(edits(&told, "add `") && remedy(&told).contains("[b], 0"), "{told:?}");
}

#[test]
fn a_missing_arrive_after_the_write_is_reported() {
    let told = race("mbarrier.arrive.shared.b64 _, [b]\nstore x", &format!("{}\nload x", wait(0)));
    assert!(says(&told, "warp 0 has no arrive after `store x` (warp 0, line 9)"), "{told:?}");
    assert!(told.because[0].contains("_, [b]` (line 8) is before `store x`"), "{told:?}");
    assert!(edits(&told, "move `mbarrier.arrive"), "{told:?}");
}

#[test]
fn a_relaxed_arrive_or_wait_is_reported() {
    let arrive = "store x\nmbarrier.arrive.relaxed.cta.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(0)));
    assert!(says(&told, "observes phase 0 of `b`"), "{:?}", told.because);
    assert!(
        says(&told, "_, [b]` (warp 0, line 9) is relaxed, and no fence before it"),
        "{:?}",
        told.because
    );
    assert!(remedy(&told).starts_with("remove `.relaxed` from"), "{}", remedy(&told));
    assert!(edits(&told, "write `mbarrier.arrive.release.cta.shared.b64 _, [b]`"), "{told:?}");
}

#[test]
fn a_generation_without_the_reader_is_reported() {
    let told = race("store x\nbar.arrive 1, 64", "load x\nbar.sync 1, 64");
    assert!(told.message.contains("the two are unordered"), "{}", told.message);
    assert!(says(&told, "bar.arrive 1, 64"), "{told:?}");
    assert!(told.because[0].contains("bar.sync 1, 64"), "{told:?}");
}

/// A race between two CTAs of a cluster.
fn far_race(first: &str, second: &str) -> Finding {
    let text = format!(
        "target sm_90\nlaunch ctas=2 warps=1 clusters=1\nmbarrier b\nglobal x[16]\n
        cta 0 warp 0 {{\n{first}\n}}\ncta 1 warp 0 {{\n{second}\n}}\n"
    );
    let scene = Scene::new("races.tide", &text);
    let report = check(&scene, &Options::default(), &mut |_| true);
    let race = report.findings.into_iter().find(|finding| finding.rule == "mem.race");
    race.unwrap_or_else(|| panic!("no race: {text} {:?}", report.diagnostics))
}

const MEET: &str = "barrier.cluster.arrive\nbarrier.cluster.wait";

#[test]
fn a_relaxed_cluster_barrier_releases_nothing() {
    let relaxed = "barrier.cluster.arrive.relaxed\nbarrier.cluster.wait";
    let told = far_race(&format!("store x\n{relaxed}"), &format!("{MEET}\nload x"));
    assert!(says(&told, "observes the phase of the cluster barrier"), "{told:?}");
    assert!(says(&told, "is relaxed, and no fence before it releases"), "{told:?}");
    assert!(remedy(&told).starts_with("remove `.relaxed` from `barrier.cluster.arrive.relaxed`"));
    assert!(edits(&told, "write `barrier.cluster.arrive` instead"), "{told:?}");
    let fence = format!("store x\nfence.acq_rel.cta\n{relaxed}");
    let short = far_race(&fence, &format!("{MEET}\nload x"));
    assert!(says(&short, "`fence.acq_rel.cta` (cta 0 warp 0"), "{short:?}");
    assert!(says(&short, "has the scope of its CTA"), "{short:?}");
}

#[test]
fn a_cluster_barrier_without_a_wait_after_the_write_is_reported() {
    let told = far_race(
        &format!("{MEET}\nstore x\nbarrier.cluster.arrive"),
        &format!("{MEET}\nload x\nbarrier.cluster.arrive"),
    );
    assert!(!says(&told, "has no arrive"), "{told:?}");
    assert!(says(&told, "participated in another phase of the cluster barrier"), "{told:?}");
}

#[test]
fn the_side_with_a_narrow_scope_is_named() {
    let wait = |semantics: &str| {
        format!(
            "L: mbarrier.try_wait.parity{semantics}.shared::cta.b64 p, [b], 0\n@!p bra L\nload x"
        )
    };
    let first = |semantics: &str| {
        format!(
            "mbarrier.init.shared::cta.b64 [b], 1\nfence.mbarrier_init.release.cluster\n{MEET}\n{}",
            wait(semantics)
        )
    };
    let second = |semantics: &str| {
        format!(
            "{MEET}\nmapa.shared::cluster.u32 r, b, 0\nstore x\nmbarrier.arrive{semantics}.shared::cluster.b64 _, [r]"
        )
    };
    let told = far_race(&first(".acquire.cluster"), &second(".release.cta"));
    assert!(says(&told, "`mbarrier.arrive.release.cta"), "{told:?}");
    assert!(remedy(&told).ends_with("the scope `.cluster`: `.release.cluster`"), "{told:?}");
    let told = far_race(&first(".acquire.cta"), &second(".release.cluster"));
    assert!(says(&told, "`mbarrier.try_wait.parity.acquire.cta"), "{told:?}");
    assert!(remedy(&told).ends_with("the scope `.cluster`: `.acquire.cluster`"), "{told:?}");
    let told = far_race(&first(".relaxed.cluster"), &second(".release.cluster"));
    assert!(says(&told, "no fence after it acquires"), "{told:?}");
}

/// An OpenCL C kernel has work-items even if only its form shows it.
#[test]
fn a_pasted_kernel_without_a_barrier_gets_one() {
    let text = "launch subgroups=2 items=8\n__kernel void f(__global int *a) {\n  __local int t[16];\n  int i = get_local_id(0);\n  t[i] = a[i];\n  a[i] = t[i ^ 1];\n}\n";
    let report = check(&Scene::new("pasted.tide", text), &Options::default(), &mut |_| true);
    assert_eq!((report.target.as_str(), report.verdict.as_str()), ("opencl", "race"));
    // The edit uses the OpenCL C name of the barrier and orders the exchange.
    assert!(edits(&report.findings[0], "add `barrier(CLK_LOCAL_MEM_FENCE)` after `t[i] = a[i]`"));
}
