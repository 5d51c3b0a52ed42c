use super::sent_report::SentReport;
use super::trace_update::Shown;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tidegate_check::model::rule::{Rule, RuleId};
use tidegate_check::report::Report;

/// The title and notes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its title; empty if it has none.
    pub title: String,
    /// Its notes.
    pub notes: Vec<String>,
}

/// The statement of a rule, and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The identifier of the rule.
    pub rule: String,
    /// The statement, in our words.
    pub says: String,
    /// The document and section of the source.
    pub place: String,
}

/// Returns the statements of the rules in a report, each once.
#[must_use]
pub fn statements(report: &Report) -> Vec<Statement> {
    let machine = report.machine.iter().flat_map(|machine| &machine.findings);
    let named: BTreeSet<&str> =
        report.findings.iter().chain(machine).map(|finding| &*finding.rule).collect();
    let rules = named.into_iter().filter_map(RuleId::from_name).map(RuleId::get);
    let statement = |rule: &Rule| Statement {
        rule: rule.id.to_owned(),
        says: rule.statement.to_owned(),
        place: format!("{}, {}", rule.document, rule.section),
    };
    rules.map(statement).collect()
}

/// The engine's results for a text, with one execution at each of its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// The text.
    pub text: String,
    /// Its colours, as the engine gives them.
    pub tints: Vec<u32>,
    /// Its title and notes.
    pub about: About,
    /// The report.
    pub report: SentReport,
    /// The statements of the rules in the report.
    pub statements: Vec<Statement>,
    /// The execution before its first step, after its first step, and so on.
    pub shown: Vec<Shown>,
}
