//! `tidegate check --certificate`: the run that decides a verdict, as data and in words.

use crate::common::{scenarios, tidegate};
use serde_json::Value;

#[track_caller]
fn certificate(file: &str) -> Value {
    let ran = tidegate(&["check", "--certificate", "--format", "json", file]);
    let report: Value = serde_json::from_str(&ran.out).expect("the output is JSON");
    report["certificate"].clone()
}

#[test]
fn a_certificate_lists_who_participates_and_who_waits() {
    let certificate = certificate("examples/two-waves-meet.tide");
    let run = &certificate["runs"][0];
    assert_eq!(
        (&run["objects"][0]["name"], &run["objects"][0]["needs"]),
        (&"wg".into(), &2.into())
    );
    let touches = run["touches"].as_array().expect("touches");
    let agents = |kind: &str| {
        let first = touches.iter().filter(|touch| touch["kind"] == kind && touch["phase"] == 0);
        let agent = |touch: &Value| {
            let step = touch["step"].as_u64().expect("a step") as usize;
            run["steps"][step]["agent"].as_str().expect("a name").to_owned()
        };
        let mut agents: Vec<String> = first.map(agent).collect();
        agents.sort_unstable();
        agents
    };
    assert_eq!(agents("participates"), ["wave 0", "wave 1"]);
    assert_eq!(agents("waits-next"), ["wave 0", "wave 1"]);
}

#[test]
fn a_certificate_lists_copies_and_who_is_blocked_forever() {
    let copies = certificate("examples/ws-gemm-4-stages.tide");
    assert_eq!(copies["runs"][0]["blocked"].as_array().map(Vec::len), Some(0));
    let steps = copies["runs"][0]["steps"].as_array().expect("steps");
    assert!(
        steps.iter().any(|step| step["agent"].as_str().is_some_and(|who| who.contains("copy")))
    );

    let stuck = certificate("examples/bug-tileops-1263.tide");
    let blocked = stuck["runs"][0]["blocked"].as_array().expect("blocked agents");
    let lines: Vec<_> = blocked.iter().filter_map(|one| one["line"].as_u64()).collect();
    assert_eq!(lines, [18]);
}

/// A search that found a broken rule and never had a choice is `fast`, too, but has no certificate.
#[test]
fn fast_verdicts_that_break_no_rule_have_a_certificate() {
    let (mut certified, mut searched) = (0, 0);
    let folders = ["amd", "mem"];
    let folders = folders.map(|name| scenarios(&format!("tests/conformance/{name}")));
    for files in [scenarios("examples"), folders.concat()].concat().chunks(20) {
        let mut arguments = vec!["check", "--certificate", "--format", "json"];
        arguments.extend(files.iter().map(String::as_str));
        let reports: Value =
            serde_json::from_str(&tidegate(&arguments).out).expect("the output is JSON");
        let one = [reports.clone()];
        for report in reports.as_array().map_or(&one[..], Vec::as_slice) {
            let fast = report["engine"] == "fast";
            let has = report["certificate"].is_object();
            assert!(fast || !has, "{}", report["file"]);
            assert!(!fast || has || report["verdict"] != "ok", "{}", report["file"]);
            assert_ne!(report["verdict"], "invalid", "{}", report["file"]);
            searched += u32::from(fast && !has);
            certified += u32::from(has);
        }
    }
    assert!(certified > 2 * searched, "{certified} certified, {searched} searched");
}
