//! Every scenario of the gallery and of the conformance folder passes its expectations. For each rule that a scenario
//! can break, one scenario breaks it and one keeps it.

use crate::common::{root, scenarios, tidegate};
use tidegate_check::model::rule::RULES;

const CONFORMANCE: &str = "tests/conformance";

/// The scenarios of every group of rules.
fn conformance() -> Vec<String> {
    let groups = std::fs::read_dir(root().join(CONFORMANCE)).expect("the folder is there");
    let names = groups.map(|group| group.expect("the group is readable").file_name());
    let mut names: Vec<String> =
        names.map(|name| name.into_string().expect("the name is UTF-8")).collect();
    names.sort();
    names.iter().flat_map(|group| scenarios(&format!("{CONFORMANCE}/{group}"))).collect()
}

/// The last line of the output of `tidegate test`.
fn counts(out: &str) -> (usize, usize) {
    let last = out.lines().last().expect("there is a last line");
    let (passed, failed) = last.split_once(" passed, ").expect("the last line has both counts");
    let failed = failed.strip_suffix(" failed").expect("the last line has both counts");
    (passed.parse().expect("a number"), failed.parse().expect("a number"))
}

fn all_hold(folder: &str, at_least: usize) {
    let ran = tidegate(&["test", folder]);
    let (passed, failed) = counts(&ran.out);
    assert_eq!(failed, 0, "{}\n{}", ran.out, ran.err);
    assert!(passed >= at_least, "{passed} expectations in {folder}");
    ran.exits(0);
}

#[test]
fn scenarios_of_the_gallery_pass() {
    all_hold("examples", 60);
}

#[test]
fn scenarios_of_the_conformance_folder_pass() {
    all_hold(CONFORMANCE, 60);
}

#[test]
fn every_scenario_has_a_title_a_note_and_a_target() {
    let files = [scenarios("examples"), conformance()].concat();
    assert!(files.len() >= 14 + 15);
    for file in files {
        let text = std::fs::read_to_string(root().join(&file)).expect("the scenario is readable");
        for header in ["title \"", "note \"", "target ", "expect "] {
            // Pasted PTX names its target with `.target`.
            let begins = |line: &str| line.trim_start_matches('.').starts_with(header);
            assert!(text.lines().any(begins), "{file} has no `{header}`");
        }
    }
}

/// Rules that no scenario can break: they constrain executions.
const UNBREAKABLE: [&str; 1] = ["amd.phase.separation"];

#[test]
fn every_rule_is_kept_and_broken_by_a_scenario() {
    let files = conformance();
    for rule in RULES.iter().filter(|rule| !UNBREAKABLE.contains(&rule.id)) {
        let (group, name) = rule.id.split_once('.').expect("a rule has a group");
        let name = name.replace('.', "-");
        let breaks = format!("{CONFORMANCE}/{group}/breaks-{name}.tide");
        let holds = format!("{CONFORMANCE}/{group}/holds-{name}.tide");
        assert!(files.contains(&breaks), "{breaks}");
        assert!(files.contains(&holds), "{holds}");
        let text = std::fs::read_to_string(root().join(&breaks)).expect("the scenario is readable");
        let named = text
            .lines()
            .any(|line| line.starts_with("expect ") && line.split(' ').any(|word| word == rule.id));
        assert!(named, "{breaks} expects no {}", rule.id);
    }
}

#[test]
fn shards_cover_all_scenarios() {
    let folder = format!("{CONFORMANCE}/amd");
    let whole = counts(&tidegate(&["test", &folder]).out);
    let parts = ["1/3", "2/3", "3/3"]
        .map(|part| counts(&tidegate(&["test", &folder, "--shard", part]).out));
    let sum = parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    assert_eq!(sum, whole);
    assert!(parts.iter().all(|part| part.0 > 0));
}

#[test]
fn a_failed_expectation_shows_both_sides_and_a_witness() {
    let text = "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg }\nwave 1 { wait wg }\nexpect ok\n";
    let file = crate::common::Scratch::new("wrong.tide", text.as_bytes());
    let ran = tidegate(&["test", file.path()])
        .exits(1)
        .prints(":5: expect ok on gfx1250")
        .prints("expected  ok")
        .prints("got       deadlock");
    assert!(ran.out.contains("witness"), "{}", ran.out);
    assert!(ran.out.ends_with("0 passed, 1 failed\n"), "{}", ran.out);
}
