//! Reports follow `schema/tidegate.report-1.schema.json`.

use crate::common::{Ran, Scratch, root, scenarios, tidegate};
use jsonschema::Validator;
use serde_json::Value;

fn validator() -> Validator {
    validator_of("tidegate.report-1")
}

fn validator_of(name: &str) -> Validator {
    let text = std::fs::read_to_string(root().join(format!("schema/{name}.schema.json")))
        .expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema), "the schema follows its own draft");
    jsonschema::validator_for(&schema).expect("the schema compiles")
}

#[track_caller]
fn follows(validator: &Validator, ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.out).expect("the output is JSON");
    let errors: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{}", ran.out);
    report
}

#[test]
fn reports_of_every_scenario_follow_the_schema() {
    let validator = validator();
    let files = [scenarios("examples"), scenarios("tests/conformance/amd")].concat();
    let mut arguments = vec!["check", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    let reports = follows(&validator, &tidegate(&arguments));
    let reports = reports.as_array().expect("several reports are an array");
    assert_eq!(reports.len(), files.len());
    for (report, file) in reports.iter().zip(&files) {
        assert_eq!(
            report["file"],
            Value::from(file.as_str()),
            "reports are in the order of the files"
        );
        assert_ne!(report["verdict"], "invalid", "{report:#}");
        for finding in report["findings"].as_array().expect("findings") {
            is_documented(&finding["cause"]);
        }
    }
}

/// Checks that the kind and the fields of a cause and of its facts are documented.
fn is_documented(cause: &Value) {
    let kinds = tidegate_check::cause_kinds();
    let kind = kinds.iter().find(|kind| cause["kind"] == kind.name);
    let kind = kind.unwrap_or_else(|| panic!("{cause} has an unknown kind"));
    for (name, value) in cause.as_object().expect("an object") {
        match name.as_str() {
            "kind" => {}
            "facts" => value.as_array().expect("a list").iter().for_each(is_documented),
            name => assert!(kind.fields().any(|field| field == name), "{name} of {cause}"),
        }
    }
}

#[test]
fn one_report_is_an_object_and_several_targets_an_array() {
    let validator = validator();
    let file = "examples/two-waves-meet.tide";
    let one = follows(&validator, &tidegate(&["check", "--format", "json", file]).exits(0));
    assert_eq!(one["verdict"], "ok");
    let certified = ["check", "--format", "json", "--certificate", file];
    let certified = follows(&validator, &tidegate(&certified).exits(0));
    assert!(certified["certificate"]["runs"][0]["touches"].is_array(), "{certified}");
    let two = follows(
        &validator,
        &tidegate(&["check", "--format", "json", "--target", "gfx1200,gfx942", file]).exits(0),
    );
    let targets: Vec<&Value> =
        two.as_array().expect("an array").iter().map(|report| &report["target"]).collect();
    assert_eq!(targets, ["gfx1200", "gfx942"]);
}

#[test]
fn every_target_gives_a_report_that_follows_the_schema() {
    let ran =
        tidegate(&["check", "--format", "json", "--target", "all", "examples/two-waves-meet.tide"]);
    let reports = follows(&validator(), &ran);
    assert_eq!(
        reports.as_array().expect("an array").len(),
        tidegate_check::model::target::TARGETS.len()
    );
}

#[test]
fn invalid_input_follows_the_schema() {
    let validator = validator();
    let bad = Scratch::new("bad.tide", b"target gfx1250\nwave 0 { arive wg }\n");
    let report =
        follows(&validator, &tidegate(&["check", "--format", "json", bad.path()]).exits(2));
    assert_eq!(report["verdict"], "invalid");
    assert_eq!(report["diagnostics"][0]["line"], 2);
    let report = follows(
        &validator,
        &tidegate(&["check", "--format", "json", "no-such-file.tide"]).exits(2),
    );
    assert_eq!(report["diagnostics"][0]["code"], "unreadable-file");
}

#[test]
fn the_schema_rejects_other_documents() {
    let validator = validator();
    let ran = tidegate(&["check", "--format", "json", "examples/two-waves-meet.tide"]);
    let report = follows(&validator, &ran);
    for (field, value) in [
        ("schema", Value::from("tidegate.report/2")),
        ("verdict", Value::from("fine")),
        ("exhaustive", Value::from(false)),
        ("findings", Value::Null),
        ("stats", Value::from(3)),
    ] {
        let mut wrong = report.clone();
        wrong[field] = value;
        assert!(!validator.is_valid(&wrong), "{field}");
    }
    let mut more = report;
    more["a_later_field"] = Value::from(1);
    assert!(validator.is_valid(&more));
}

#[test]
fn matrices_follow_their_schema_and_distinguish_targets() {
    let validator = validator_of("tidegate.matrix-1");
    for file in scenarios("examples") {
        let ran = tidegate(&["matrix", "--format", "json", &file]).exits(0);
        let matrix = follows(&validator, &ran);
        let rows = matrix["rows"].as_array().expect("the rows are an array");
        let told: usize = rows
            .iter()
            .map(|row| row["targets"].as_array().expect("the targets are an array").len())
            .sum();
        assert_eq!(Some(told), matrix["cells"].as_array().map(Vec::len), "{file}");
    }
}

#[test]
fn a_matrix_in_csv_has_a_line_for_each_target() {
    let ran = tidegate(&["matrix", "--format", "csv", "examples/ping-pong.tide"]).exits(0);
    let lines: Vec<&str> = ran.out.split_terminator("\r\n").collect();
    let columns = lines[0].split(',').count();
    assert!(lines.len() > 60 && lines.iter().all(|line| line.split(',').count() == columns));
    assert!(lines.iter().any(|line| line.starts_with("gfx1250,AMDGPU,ok,true,")));
    tidegate(&["matrix", "no-such-file.tide"]).exits(2).says("no such file");
}

#[test]
fn graphs_follow_their_schema_and_link_existing_operations() {
    let validator = validator_of("tidegate.graph-1");
    for file in scenarios("examples") {
        let ran = tidegate(&["graph", "--relation", "all", "--format", "json", &file]);
        if ran.code != Some(0) {
            // Unsupported operations, and rules without an execution, have no graph.
            assert!(ran.err.contains("error"), "{file}: {}", ran.err);
            continue;
        }
        let graph = follows(&validator, &ran);
        let operations = graph["operations"].as_array().expect("an array").len() as u64;
        let relations = graph["relations"].as_array().expect("an array");
        // Relations on memory, if the scenario has accesses.
        let text = std::fs::read_to_string(root().join(&file)).expect("the scenario is readable");
        let on_memory = ["fence ", "load ", "store ", "async_load "];
        let is_on_memory = |line: &str| on_memory.iter().any(|word| line.trim().starts_with(word));
        let memory = text.lines().any(is_on_memory);
        assert!([7, 10].contains(&relations.len()) && (!memory || relations.len() == 10), "{file}");
        let edges = relations.iter().flat_map(|one| one["edges"].as_array().expect("an array"));
        for edge in edges {
            let ends = [edge["from"].as_u64(), edge["to"].as_u64()];
            assert!(ends.iter().all(|end| end.is_some_and(|end| end < operations)), "{file}");
        }
    }
}

/// The page that documents the kinds of causes.
const CAUSES: &str = "docs/causes.md";

#[test]
fn every_kind_of_cause_is_documented() {
    let mut page = String::from(
        "# Causes\n\nThe `cause` of a finding in a JSON report has a `kind`, the fields of the kind, and `facts`: the causes that make it so. \
         A field is absent if there is no value.\n\n\
         A field is a number, a flag, a name or a word, a list of names, an operation, or a list of operations. \
         An operation has `agent`, `line`, `column` and `operation`. Numbers beyond 2^53 are strings.\n\n\
         Within version 1 of the report, kinds and fields are only added.\n\n\
         | kind | meaning | fields |\n|---|---|---|\n",
    );
    let kinds = tidegate_check::cause_kinds();
    for kind in &kinds {
        let fields: Vec<String> = kind.fields().map(|field| format!("`{field}`")).collect();
        let (name, about) = (kind.name, kind.about.trim());
        page.push_str(&format!("| `{name}` | {about} | {} |\n", fields.join(", ")));
    }
    let path = root().join(CAUSES);
    if std::env::var_os("TIDEGATE_RENEW").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).expect("the page is writable");
    }
    let found = std::fs::read_to_string(&path).expect("the page is there");
    assert_eq!(found, page, "TIDEGATE_RENEW=1 renews {CAUSES}");
    let names: std::collections::BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), kinds.len(), "each kind has its own name");
}
