//! Reports as SARIF 2.1.0, for code scanning services and editors.

use crate::exit::Failure;
use serde_json::{Value, json};
use tidegate_check::model::rule::RULES;
use tidegate_check::report::{Finding, Report, ReportDiagnostic};

/// A log with one run that contains every finding and diagnostic.
pub(crate) fn log(reports: &[Report]) -> Result<String, Failure> {
    let results: Vec<Value> = reports.iter().flat_map(results).collect();
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| json!({ "id": rule.id, "shortDescription": { "text": rule.statement }, "help": { "text": rule.remedy } }))
        .collect();
    let driver =
        json!({ "name": "tidegate", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    crate::json::pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    }))
}

fn results(report: &Report) -> Vec<Value> {
    let findings = report.findings.iter().map(|finding| result(finding, report, "spec"));
    let machine = report
        .machine
        .iter()
        .flat_map(|machine| &machine.findings)
        .map(|finding| result(finding, report, "machine"));
    let diagnostics = report.diagnostics.iter().map(|diagnostic| of_diagnostic(diagnostic, report));
    diagnostics.chain(findings).chain(machine).collect()
}

fn result(finding: &Finding, report: &Report, oracle: &str) -> Value {
    let level = match finding.class.as_str() {
        "hazard" => "warning",
        "lint" => "note",
        _ if finding.is_possible() => "warning",
        _ if oracle == "machine" => "warning",
        _ => "error",
    };
    json!({
        "ruleId": finding.rule,
        "level": level,
        "message": { "text": finding.message },
        "locations": [location(report, finding.line, finding.column)],
        "properties": { "class": finding.class, "schedules": finding.schedules, "certainty": finding.certainty, "condition": finding.condition, "target": report.target, "oracle": oracle },
    })
}

fn of_diagnostic(diagnostic: &ReportDiagnostic, report: &Report) -> Value {
    json!({
        "ruleId": diagnostic.code,
        "level": diagnostic.severity,
        "message": { "text": diagnostic.message },
        "locations": [location(report, Some(diagnostic.line), Some(diagnostic.column))],
    })
}

fn location(report: &Report, line: Option<u32>, column: Option<u32>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": report.file.replace('\\', "/") } });
    if let Some(line) = line.filter(|line| *line > 0) {
        physical["region"] =
            json!({ "startLine": line, "startColumn": column.unwrap_or(1).max(1) });
    }
    json!({ "physicalLocation": physical })
}
