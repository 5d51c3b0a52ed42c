//! Every fix offered for a race removes it. Fixes are applied until none is offered. The scenario is then `ok`, or
//! breaks only the rules of other kinds that it broke before.

use std::collections::{BTreeMap, BTreeSet};
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
fn fixes_remove_races() {
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

/// An arrive that is offered for stuck waits lets every wait complete.
#[test]
fn an_added_arrive_completes_the_waits() {
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

/// The number of findings of each rule.
fn counts(report: &Report) -> BTreeMap<String, usize> {
    report.findings.iter().fold(BTreeMap::new(), |mut counts, finding| {
        *counts.entry(finding.rule.clone()).or_default() += 1;
        counts
    })
}

/// Every other offered edit leaves fewer findings of its rule, and none of a rule that was kept.
#[test]
fn no_edit_adds_a_finding() {
    let judge =
        |text: &str| check(&Scene::new("fixed.tide", text), &Options::default(), &mut |_| true);
    let mut mended: BTreeSet<String> = BTreeSet::new();
    let groups = ["amd", "async", "mem", "opencl", "ptx", "ptx-forms", "sass", "tlx"];
    for file in groups.into_iter().flat_map(scenarios) {
        let text = fs::read_to_string(&file).unwrap();
        let report = judge(&text);
        let before = counts(&report);
        for finding in report.findings.iter().filter(|finding| finding.class != "race") {
            let Some(fix) = &finding.fix else { continue };
            let mended_report = judge(&apply(&text, fix));
            let everywhere = |report: &Report| -> BTreeSet<String> {
                let all = report.findings.iter().filter(|it| it.schedules == "all");
                all.filter(|it| it.class != "lint").map(|it| it.rule.clone()).collect()
            };
            let after = counts(&mended_report);
            let place = format!("{}: {}", file.display(), fix.message);
            assert!(after.get(&finding.rule) < before.get(&finding.rule), "{place}");
            assert!(everywhere(&mended_report).is_subset(&everywhere(&report)), "{place}");
            // A weaker wait can leave a mark without a wait, and a supported operation can be linted.
            let lints: BTreeSet<&String> = match &*finding.class {
                "unsupported" => {
                    let lints = mended_report.findings.iter().filter(|it| it.class == "lint");
                    lints.map(|it| &it.rule).collect()
                }
                _ => BTreeSet::new(),
            };
            let grave = |rule: &&String| **rule != "async.redundant-mark" && !lints.contains(*rule);
            for rule in after.keys().filter(grave) {
                assert!(after.get(rule) <= before.get(rule), "{place} {rule}");
            }
            mended.insert(finding.rule.clone());
        }
    }
    assert!(mended.len() >= 30, "{mended:?}");
}

/// For any text, the search for edits does not panic, and each offered edit fits the text.
#[test]
fn edits_of_broken_texts_apply() {
    let mut random = crate::common::Random(7);
    let groups = ["amd", "async", "opencl", "ptx", "tlx"];
    let mut offered = 0;
    for file in groups.into_iter().flat_map(scenarios) {
        let mut text = fs::read_to_string(&file).unwrap();
        for _ in 0..random.below(3) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places[random.below(places.len())];
            let some = ["é", "/* ü */", "\n", ";", "}", "{", "0", " ", "\t// ß\n", "\u{202e}"];
            text.insert_str(at, random.of(&some));
        }
        let options = Options { max_states: Some(2_000), machine: false, ..Options::default() };
        let report = check(&Scene::new("spoilt.tide", &text), &options, &mut |_| true);
        for fix in report.findings.iter().filter_map(|finding| finding.fix.as_ref()) {
            for edit in &fix.edits {
                let (start, end) = (edit.offset as usize, (edit.offset + edit.length) as usize);
                assert!(text.get(start..end).is_some(), "{fix:?}\n{text}");
                let line = text[..start].matches('\n').count() as u32 + 1;
                let column =
                    text[..start].chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
                assert_eq!((line, column), (edit.line, edit.column), "{fix:?}\n{text}");
            }
            offered += 1;
        }
    }
    assert!(offered >= 30, "{offered}");
}

#[test]
fn tests_that_nothing_repeats_become_waits() {
    let text = "target sm_90\nlaunch warps=2\nmbarrier full\nshared tile[16]\nwarp 0 {\n  mbarrier.init.shared.b64 [full], 1\n  bar.sync 0\n  store tile\n  mbarrier.arrive.shared.b64 _, [full]\n}\nwarp 1 {\n  bar.sync 0\n  mbarrier.try_wait.parity.shared.b64 [full], 0\n  load tile\n}\n";
    let report = check(&Scene::new("once.tide", text), &Options::default(), &mut |_| true);
    let race = report.findings.iter().find(|finding| finding.rule == "mem.race").unwrap();
    let mended = apply(text, race.fix.as_ref().unwrap());
    assert!(mended.contains("again: mbarrier.try_wait.parity.shared.b64 p, [full], 0"), "{mended}");
    let report = check(&Scene::new("again.tide", &mended), &Options::default(), &mut |_| true);
    assert_eq!(report.verdict, "ok", "{mended}");
}
