//! Exploration and axioms give the same verdict, findings, schedules and ambiguities for every scenario of the gallery
//! and of the conformance folders. Every expectation passes.

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

/// The parts of a report on which both engines must agree.
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

/// The number of findings at the same place. Each engine reports a rule at the operation where its witness ends.
/// Shortest witnesses can differ, so the places may belong to different agents or iterations. Both are lines that break
/// the rule.
fn placed_alike(explored: &Report, axioms: &Report, file: &Path) -> usize {
    let mut same = 0;
    for one in &explored.findings {
        let other = axioms.findings.iter().find(|other| other.rule == one.rule);
        let other = other.expect("both have it");
        let alike = (one.line, &one.agent) == (other.line, &other.agent);
        same += usize::from(alike);
        let shortest = one.shortest && other.shortest;
        let length = (one.witness.len(), other.witness.len());
        assert!(!shortest || length.0 == length.1, "{} {}: {length:?}", file.display(), one.rule);
        assert!(
            alike || !shortest || other.line.is_some() == one.line.is_some(),
            "{}: {one:?} {other:?}",
            file.display()
        );
    }
    same
}

#[test]
fn exploration_and_axioms_agree_on_all_scenarios() {
    let (mut compared, mut places) = (0, 0);
    let folders = ["examples", "tests/conformance/amd", "tests/conformance/observations"];
    for file in folders.into_iter().flat_map(files) {
        let text = fs::read_to_string(&file).expect("the scenario is readable");
        let scene = Scene::new("scenario.tide", &text);
        let by = |engine| Options { engine, ..Options::default() };
        let axioms = check(&scene, &by(Engine::Axioms), &mut |_| true);
        if axioms.engine != "axioms" {
            // Barriers of other vendors have no axioms, and the report does not claim any.
            let others = ["sm_", "opencl", "tlx", "mbarrier"];
            assert!(others.iter().any(|word| text.contains(word)), "{}", file.display());
            continue;
        }
        if !axioms.exhaustive {
            // The axioms do not enumerate infinite executions.
            assert!(text.contains("loop {"), "{}: {:?}", file.display(), axioms.stats);
            continue;
        }
        compared += 1;
        let explored = check(&scene, &by(Engine::Explore), &mut |_| true);
        assert_eq!(told(&explored), told(&axioms), "{}", file.display());
        assert_eq!(explored.participates_in, axioms.participates_in, "{}", file.display());
        places += placed_alike(&explored, &axioms, &file);
        for outcome in expectations(&scene, &by(Engine::Axioms), &mut |_| true) {
            assert!(outcome.passed, "{}: {outcome:?}", file.display());
        }
        let witnessed = |report: &Report| -> Vec<bool> {
            report.findings.iter().map(|finding| finding.witness.is_empty()).collect()
        };
        assert_eq!(witnessed(&explored), witnessed(&axioms), "{}", file.display());
    }
    assert!(compared >= 100 && places >= 60, "{compared} compared, {places} places");
}

/// With too many operations for the axioms, the verdict is `unknown` and never `ok`.
#[test]
fn too_many_operations_for_the_axioms_give_unknown() {
    let meet = "  arrive wg; wait wg\n";
    let alone = format!("target gfx1250\nwave 0 {{\n{}  wait wg\n}}\n", meet.repeat(70));
    let endless = format!("target gfx1250\nwave 0 {{\n{}}}\n", meet.repeat(4_000));
    let options = Options { engine: Engine::Axioms, ..Options::default() };
    for text in [alone, endless] {
        let report = check(&Scene::new("long.tide", &text), &options, &mut |_| true);
        assert_eq!((report.verdict.as_str(), report.exhaustive), ("unknown", false));
    }
}
