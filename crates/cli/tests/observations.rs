//! Every observation on the documents is shown by its scenario, and the page of observations equals the program's
//! output.

use crate::common::{root, tidegate};
use serde_json::Value;
use std::collections::BTreeMap;
use tidegate_check::model::observation::OBSERVATIONS;

/// The expectations of `tidegate test` that pass, by scenario.
fn held() -> BTreeMap<String, Vec<String>> {
    let scenarios: Vec<&str> = OBSERVATIONS.iter().map(|one| one.scenario).collect();
    let mut arguments = vec!["test", "--format", "json"];
    arguments.extend(&scenarios);
    let ran = tidegate(&arguments);
    let line = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
    let passed = |file: &Value| {
        let all = file["expectations"].as_array().expect("expectations").clone();
        let failed: Vec<Value> =
            all.iter().filter(|one| one["passed"] != true).map(|one| one["text"].clone()).collect();
        let holds = |one: &&Value| !failed.contains(&one["text"]);
        all.iter().filter(holds).filter_map(|one| one["text"].as_str().map(String::from)).collect()
    };
    let named = |file: Value| (file["file"].as_str().unwrap_or_default().to_owned(), passed(&file));
    ran.out.lines().map(line).map(named).collect()
}

#[test]
fn every_observation_is_shown_by_its_scenario() {
    let held = held();
    for one in OBSERVATIONS {
        let lines = held.get(one.scenario).unwrap_or_else(|| panic!("{} is there", one.scenario));
        for wanted in one.shows {
            assert!(lines.iter().any(|line| line == wanted), "{}: {wanted}\n{lines:#?}", one.id);
        }
    }
}

#[test]
fn scenarios_of_observations_have_a_title_a_note_and_a_target() {
    for one in OBSERVATIONS {
        let text = std::fs::read_to_string(root().join(one.scenario)).expect("the scenario");
        for header in ["title \"", "note \"", "target "] {
            assert!(
                text.lines().any(|line| line.starts_with(header)),
                "{}: {header}",
                one.scenario
            );
        }
    }
    for entry in std::fs::read_dir(root().join("tests/conformance/observations")).expect("a folder")
    {
        let name = entry.expect("the entry is readable").file_name();
        let name = format!("tests/conformance/observations/{}", name.to_string_lossy());
        assert!(OBSERVATIONS.iter().any(|one| one.scenario == name), "{name} shows nothing");
    }
}

#[test]
fn the_page_of_observations_is_up_to_date() {
    let page = tidegate(&["readings", "--format", "markdown"]).exits(0).out;
    let path = root().join("docs/observations.md");
    if std::env::var_os("TIDEGATE_RENEW").is_some_and(|value| value == "1") {
        std::fs::write(&path, page).expect("the page is writable");
    } else {
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            written, page,
            "TIDEGATE_RENEW=1 cargo test -p tidegate --test all observations"
        );
    }
}

#[test]
fn the_identifier_of_a_reading_given_as_a_rule_is_recognised() {
    tidegate(&["rules", "amd.A3"]).exits(2).says("tidegate readings amd.A3");
    tidegate(&["rules", "amd.O1"]).exits(2).says("tidegate readings amd.O1");
    tidegate(&["readings", "amd.O1"]).exits(0).prints("two-ways-to-participate.tide");
    tidegate(&["readings", "amd.A99"]).exits(2).says("unknown reading or observation");
}

/// The axioms accept executions that match no interleaving, which no expectation can state.
#[test]
fn some_executions_match_no_interleaving() {
    let one = OBSERVATIONS.iter().find(|one| one.title.contains("no interleaving"));
    let file = one.expect("the observation is there").scenario;
    let ran = tidegate(&["check", "--engine", "axioms", "--format", "json", file]).exits(0);
    let report: Value = serde_json::from_str(&ran.out).expect("a report");
    assert!(report["outside_interleavings"].as_u64() > Some(0), "{}", ran.out);
    let same_order = std::fs::read_to_string(root().join(file)).expect("the scenario is readable");
    let same_order = same_order.replace("  arrive y\n  arrive x\n", "  arrive x\n  arrive y\n");
    let file = crate::common::Scratch::new("same-order.tide", same_order.as_bytes());
    let ran = tidegate(&["check", "--engine", "axioms", "--format", "json", file.path()]).exits(0);
    let report: Value = serde_json::from_str(&ran.out).expect("a report");
    assert_eq!(report["outside_interleavings"].as_u64(), Some(0), "{}", ran.out);
}
