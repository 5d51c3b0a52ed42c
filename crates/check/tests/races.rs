//! The cause of a race on an NVIDIA target names the wait that returned too early, the missing wait or arrive, or the two
//! operations that do not synchronise.

use tidegate_check::report::{Cause, Finding};
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

/// The facts, each with the lines of its operations.
fn facts(told: &Finding) -> Vec<(&str, Vec<u32>)> {
    let lines = |fact: &Cause| fact.places().iter().map(|place| place.line).collect();
    told.cause.facts.iter().map(|fact| (fact.kind.as_str(), lines(fact))).collect()
}

/// The edits, each with its line.
fn edits(told: &Finding) -> Vec<(u32, &str)> {
    let edits = told.fix.iter().flat_map(|fix| &fix.edits);
    edits.map(|edit| (edit.line, edit.replacement.as_str())).collect()
}

/// An arrive that is observed but does not synchronise.
const OBSERVED: &str = "observed-without-synchronization";

fn wait(parity: u8) -> String {
    format!("L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], {parity}\n@!p bra L")
}

#[test]
fn a_wait_that_returns_too_early_is_reported() {
    let arrive = "store x\nmbarrier.arrive.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(1)));
    let lines: Vec<u32> = told.cause.places().iter().map(|place| place.line).collect();
    assert_eq!((told.cause.object(), &lines[..2]), (Some("x"), &[8, 15][..]));
    assert_eq!(facts(&told), [("reached-later", vec![9]), ("wait-returned-first", vec![13])]);
    assert_eq!(edits(&told), [(13, &*wait(0))]);
}

#[test]
fn a_missing_wait_is_reported() {
    let told = race("store x\nmbarrier.arrive.shared.b64 _, [b]", "load x");
    assert_eq!(facts(&told), [("reached-later", vec![9])]);
    // The earlier barrier orders the init and stays there.
    let new = "; W2: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n  @!p bra W2";
    assert_eq!(edits(&told), [(12, new)]);
}

#[test]
fn a_missing_arrive_after_the_write_is_reported() {
    let told = race("mbarrier.arrive.shared.b64 _, [b]\nstore x", &format!("{}\nload x", wait(0)));
    assert_eq!(facts(&told), [("no-arrive-after-access", vec![9])]);
    assert_eq!(edits(&told), [(8, "store x"), (9, "mbarrier.arrive.shared.b64 _, [b]")]);
}

#[test]
fn a_relaxed_arrive_or_wait_is_reported() {
    let arrive = "store x\nmbarrier.arrive.relaxed.cta.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(0)));
    assert_eq!(facts(&told), [(OBSERVED, vec![9, 13]), ("relaxed-without-fence", vec![9])]);
    assert_eq!(edits(&told), [(9, "mbarrier.arrive.release.cta.shared.b64 _, [b]")]);
}

#[test]
fn a_generation_without_the_reader_is_reported() {
    let told = race("store x\nbar.arrive 1, 64", "load x\nbar.sync 1, 64");
    assert_eq!(facts(&told), [("reached-later", vec![9])]);
    assert_eq!(edits(&told), [(13, "bar.sync 1, 64"), (14, "load x")]);
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
    assert_eq!(facts(&told), [(OBSERVED, vec![8, 13]), ("relaxed-without-fence", vec![8])]);
    assert_eq!(edits(&told), [(8, "barrier.cluster.arrive")]);
    let fence = format!("store x\nfence.acq_rel.cta\n{relaxed}");
    let short = far_race(&fence, &format!("{MEET}\nload x"));
    assert_eq!(facts(&short), [(OBSERVED, vec![9, 14]), ("relaxed-fence-of-cta", vec![8, 9])]);
}

#[test]
fn a_cluster_barrier_without_a_wait_after_the_write_is_reported() {
    let told = far_race(
        &format!("{MEET}\nstore x\nbarrier.cluster.arrive"),
        &format!("{MEET}\nload x\nbarrier.cluster.arrive"),
    );
    let other = ("waited-for-other-phase", vec![14]);
    assert_eq!(facts(&told), [("reached-later", vec![10]), other]);
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
    assert_eq!(facts(&told), [(OBSERVED, vec![20, 11]), ("scope-of-cta", vec![20])]);
    let new = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]";
    assert_eq!(edits(&told), [(20, new)]);
    let told = far_race(&first(".acquire.cta"), &second(".release.cluster"));
    assert_eq!(facts(&told), [(OBSERVED, vec![20, 11]), ("scope-of-cta", vec![11])]);
    let acquired =
        "L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [b], 0\n@!p bra L";
    assert_eq!(edits(&told), [(11, acquired)]);
    let told = far_race(&first(".relaxed.cluster"), &second(".release.cluster"));
    assert_eq!(facts(&told), [(OBSERVED, vec![20, 11]), ("relaxed-without-fence", vec![11])]);
}

/// An OpenCL C kernel has work-items even if only its form shows it.
#[test]
fn a_pasted_kernel_without_a_barrier_gets_one() {
    let text = "launch subgroups=2 items=8\n__kernel void f(__global int *a) {\n  __local int t[16];\n  int i = get_local_id(0);\n  t[i] = a[i];\n  a[i] = t[i ^ 1];\n}\n";
    let report = check(&Scene::new("pasted.tide", text), &Options::default(), &mut |_| true);
    assert_eq!((report.target.as_str(), report.verdict.as_str()), ("opencl", "race"));
    // The edit uses the OpenCL C name of the barrier and orders the exchange.
    assert_eq!(edits(&report.findings[0]), [(5, "\n  barrier(CLK_LOCAL_MEM_FENCE);")]);
}
