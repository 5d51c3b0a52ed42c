//! What is told of a race of agents on a target of NVIDIA: the wait that came too early, the one that is missing, the arrive
//! that is missing, and the two that do not synchronize.

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

fn wait(parity: u8) -> String {
    format!("L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], {parity}\n@!p bra L")
}

#[test]
fn a_wait_that_returned_too_early() {
    let arrive = "store x\nmbarrier.arrive.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(1)));
    assert_eq!(
        told.message,
        "`load x` of warp 1 (line 15) reads bytes of x that `store x` of warp 0 (line 8) writes, and nothing orders the two."
    );
    assert!(
        told.because[0].ends_with(
            "only after that; `mbarrier.try_wait.parity.shared::cta.b64 p, [b], 1` of warp 1 (line 13) returned before any phase was complete."
        ),
        "{:?}",
        told.because
    );
}

#[test]
fn no_wait_at_all() {
    let told = race("store x\nmbarrier.arrive.shared.b64 _, [b]", "load x");
    assert!(told.because[0].contains("comes to `mbarrier.arrive"), "{:?}", told.because);
    assert!(remedy(&told).contains("Let warp 1 wait for the phase that"), "{}", remedy(&told));
}

#[test]
fn no_arrive_behind_the_write() {
    let told = race("mbarrier.arrive.shared.b64 _, [b]\nstore x", &format!("{}\nload x", wait(0)));
    assert_eq!(
        told.because[0],
        "warp 0 arrives nowhere behind `store x` of warp 0 (line 9), so nobody can wait for it."
    );
    assert!(remedy(&told).starts_with("Let warp 0 arrive behind"), "{}", remedy(&told));
}

#[test]
fn relaxed_on_one_side() {
    let arrive = "store x\nmbarrier.arrive.relaxed.cta.shared.b64 _, [b]";
    let told = race(arrive, &format!("{}\nload x", wait(0)));
    assert!(told.because[0].contains("observes phase 0 of b"), "{:?}", told.because);
    assert!(told.because[0].contains("one is relaxed"), "{:?}", told.because);
    assert!(remedy(&told).contains("release"), "{}", remedy(&told));
}

#[test]
fn a_generation_of_a_barrier_that_the_reader_does_not_join() {
    let told = race("store x\nbar.arrive 1, 64", "load x\nbar.sync 1, 64");
    assert!(told.message.contains("nothing orders the two"), "{}", told.message);
    assert!(told.because[0].contains("bar.arrive 1, 64"), "{:?}", told.because);
}
