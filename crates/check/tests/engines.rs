//! Every scenario of the gallery and of the conformance folders is judged alike by exploration and by the axioms alone:
//! the same verdict, the same findings in the same schedules, the same ambiguities, and every expectation holds.

use std::fs;
use std::path::{Path, PathBuf};
use tidegate_check::expect::expectations;
use tidegate_check::report::Report;
use tidegate_check::{Engine, Options, Scene, check};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tide"));
    files.sort();
    files
}

/// What both ways must agree on.
fn told(report: &Report) -> Vec<String> {
    let finding = |finding: &tidegate_check::report::Finding| {
        format!("{} {} {}", finding.class, finding.rule, finding.schedules)
    };
    let mut told: Vec<String> = report.findings.iter().map(finding).collect();
    told.sort();
    told.push(report.verdict.clone());
    told.extend(report.ambiguities.iter().map(|ambiguity| format!("{ambiguity:?}")));
    told
}

#[test]
fn scenarios_by_exploration_and_by_axioms() {
    let (mut compared, mut memory) = (0, 0);
    let folders = ["examples", "tests/conformance/amd", "tests/conformance/observations"];
    for file in folders.into_iter().flat_map(files) {
        let text = fs::read_to_string(&file).expect("the scenario is readable");
        let scene = Scene::new("scenario.tide", &text);
        let by = |engine| Options { engine, ..Options::default() };
        let axioms = check(&scene, &by(Engine::Axioms), &mut |_| true);
        let about_memory = ["store", "load"].iter().any(|word| text.contains(word));
        assert_eq!(axioms.engine, "axioms");
        if !axioms.exhaustive {
            assert!(about_memory, "{}: {:?}", file.display(), axioms.stats);
            memory += 1;
            continue;
        }
        compared += 1;
        let explored = check(&scene, &by(Engine::Explore), &mut |_| true);
        assert_eq!(told(&explored), told(&axioms), "{}", file.display());
        for outcome in expectations(&scene, &by(Engine::Axioms), &mut |_| true) {
            // Where accesses can conflict on some target, the axioms of barriers are not the whole story.
            let unknown = about_memory && outcome.got == "unknown";
            assert!(outcome.passed || unknown, "{}: {outcome:?}", file.display());
        }
        let witnessed = |report: &Report| -> Vec<bool> {
            report.findings.iter().map(|finding| finding.witness.is_empty()).collect()
        };
        assert_eq!(witnessed(&explored), witnessed(&axioms), "{}", file.display());
    }
    assert!(compared >= 80 && memory < compared / 4, "{compared} compared, {memory} with memory");
}

/// More operations than the axioms can relate: they say that they do not know, and never that all is well.
#[test]
fn what_the_axioms_cannot_relate_is_unknown() {
    let meet = "  arrive wg; wait wg\n";
    let alone = format!("target gfx1250\nwave 0 {{\n{}  wait wg\n}}\n", meet.repeat(70));
    let endless = format!("target gfx1250\nwave 0 {{\n{}}}\n", meet.repeat(4_000));
    let options = Options { engine: Engine::Axioms, ..Options::default() };
    for text in [alone, endless] {
        let report = check(&Scene::new("long.tide", &text), &options, &mut |_| true);
        assert_eq!((report.verdict.as_str(), report.exhaustive), ("unknown", false));
    }
}
