//! Every fix that is offered for a race mends it: fixes are made one after another until none is offered, and then the
//! scenario is judged `ok`, or breaks the rules of other kinds that it broke before.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, apply, check};

fn scenarios(group: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(group);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn fixes_mend() {
    let mut mended = 0;
    let others = |report: &Report| -> BTreeSet<String> {
        let kept =
            report.findings.iter().filter(|finding| !["race", "lint"].contains(&&*finding.class));
        kept.map(|finding| finding.rule.clone()).collect()
    };
    for file in scenarios("mem").into_iter().chain(scenarios("async")) {
        let mut text = fs::read_to_string(&file).unwrap();
        let mut made = Vec::new();
        let mut before = None;
        let report = loop {
            let scene = Scene::new("fixed.tide", &text);
            assert!(scene.is_valid(), "{}: {made:?}\n{text}", file.display());
            let report = check(&scene, &Options::default(), &mut |_| true);
            before = before.or_else(|| Some(others(&report)));
            let race = report.findings.iter().find(|finding| finding.class == "race");
            match race.and_then(|race| race.fix.clone()) {
                Some(fix) if made.len() < 9 => {
                    text = apply(&text, &fix);
                    made.push(fix.message);
                }
                _ => break report,
            }
        };
        if !made.is_empty() {
            assert!(
                report.findings.iter().all(|finding| finding.class != "race"),
                "{made:?}\n{text}"
            );
            assert_eq!(Some(others(&report)), before, "{}: {made:?}\n{text}", file.display());
            assert_eq!(
                report.verdict == "ok",
                before == Some(BTreeSet::new()),
                "{}",
                file.display()
            );
            mended += 1;
        }
    }
    assert!(mended >= 8, "{mended}");
}

/// An arrive that is offered where waits never complete lets every wait complete.
#[test]
fn an_arrive_that_is_missing_completes_the_waits() {
    let judge =
        |text: &str| check(&Scene::new("fixed.tide", text), &Options::default(), &mut |_| true);
    let mut mended = 0;
    for file in scenarios("amd") {
        let text = fs::read_to_string(&file).unwrap();
        let report = judge(&text);
        let stuck = report.findings.iter().find(|finding| finding.class == "deadlock");
        let Some(fix) = stuck.and_then(|finding| finding.fix.as_ref()) else { continue };
        let report = judge(&apply(&text, fix));
        let stays = report.findings.iter().any(|finding| finding.class == "deadlock");
        assert!(!stays && report.exhaustive, "{}: {}", file.display(), fix.message);
        mended += 1;
    }
    assert!(mended >= 2, "{mended}");
}
