//! The enumeration ends: quickly if one order of each object is forced, otherwise at a limit that it names.

use crate::cause::Open;
use crate::check::check;
use crate::report::Report;
use crate::scene::{Engine, Options, Scene};
use crate::tell;
use alloc::format;
use alloc::string::String;
use tidegate_model::axioms::meter::Bound;

fn judged(text: &str, keep_going: &mut dyn FnMut() -> bool) -> Report {
    let options = Options { engine: Engine::Axioms, machine: false, ..Options::default() };
    check(&Scene::new("test.tide", text), &options, &mut |_| keep_going())
}

fn rounds(waves: u32, rounds: u32) -> Report {
    let text = format!(
        "target gfx1250\nlaunch waves={waves}\nwave * {{ repeat {rounds} {{ arrive wg; wait wg }} }}\n"
    );
    judged(&text, &mut || true)
}

fn reason(bound: Bound) -> Option<String> {
    Some(tell::open::reason(Open::Enumeration(bound)).into())
}

#[test]
fn rounds_of_all_waves_have_one_order() {
    for (waves, many) in [(2, 30), (3, 18), (8, 6), (16, 2), (32, 1)] {
        let report = rounds(waves, many);
        assert_eq!((report.verdict.as_str(), report.bound), ("ok", None), "{waves} {many}");
        assert!(report.stats.states < 1_500_000, "{waves} {many}: {}", report.stats.states);
    }
}

#[test]
fn more_operations_than_can_be_related_are_unknown() {
    for (waves, many) in [(2, 40), (16, 4), (64, 1)] {
        let report = rounds(waves, many);
        assert_eq!((report.verdict.as_str(), report.exhaustive), ("unknown", false));
        assert_eq!(report.bound, reason(Bound::Operations), "{waves} {many}");
    }
}

/// Different waves, each at an object of its own, have too many combinations of paths to enumerate.
const MANY: &str = "target model\nbarrier a\nbarrier b\nbarrier c\n
wave 0 { init a, 1; init b, 1; init c, 1\n arrive wg; wait wg\n repeat 9 { arrive a; arrive b; arrive c } }
wave 1-4 { arrive wg; wait wg\n repeat 3 { wait a; wait b; wait c } }
";

#[test]
fn work_has_a_bound() {
    let report = judged(MANY, &mut || true);
    assert_eq!(report.verdict, "unknown");
    assert!(
        [reason(Bound::Work), reason(Bound::Steps)].contains(&report.bound),
        "{:?}",
        report.bound
    );
}

#[test]
fn it_can_be_cancelled() {
    let mut asked = 0;
    let report = judged(MANY, &mut || {
        asked += 1;
        asked < 3
    });
    assert_eq!((report.verdict.as_str(), report.bound), ("unknown", reason(Bound::Cancelled)));
}
