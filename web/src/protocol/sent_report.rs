//! A report as the engine sends it: without data that the page does not show, such as the causes of findings and the
//! certificate. The module of the page is smaller without the code that reads them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tidegate_check::report::{
    Ambiguity, Cause, CompiledFrom, CompilerReport, Finding, Fix, Further, OracleReport,
    ParticipatesIn, Proved, Report, ReportDiagnostic, Stats, Value, WitnessStep,
};

/// The fact that names the arguments of the host.
const ARGUMENTS: &str = "arguments";

/// The parts of a report that the page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentReport {
    target: String,
    verdict: String,
    exhaustive: bool,
    bound: Option<String>,
    proved: Option<Proved>,
    further: Option<Further>,
    engine: String,
    findings: Vec<SentFinding>,
    machine: Option<(String, bool, Vec<SentFinding>)>,
    compiler: Option<CompilerReport>,
    readings: BTreeMap<String, String>,
    ambiguities: Vec<Ambiguity>,
    participates_in: Option<ParticipatesIn>,
    outside_interleavings: Option<u64>,
    compiled_from: Vec<CompiledFrom>,
    limits: Vec<String>,
    states: u64,
    millis: f64,
    diagnostics: Vec<ReportDiagnostic>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SentFinding {
    rule: String,
    class: String,
    schedules: String,
    certainty: String,
    condition: Option<String>,
    /// The arguments of the host that decide, and whether the finding then occurs in every schedule.
    decided: Option<(String, bool)>,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    because: Vec<String>,
    remedy: Option<String>,
    /// The keys of the steps.
    witness: Vec<String>,
    shortest: bool,
    fix: Option<Fix>,
}

impl From<Report> for SentReport {
    fn from(report: Report) -> Self {
        Self {
            target: report.target,
            verdict: report.verdict,
            exhaustive: report.exhaustive,
            bound: report.bound,
            proved: report.proved,
            further: report.further,
            engine: report.engine,
            findings: report.findings.into_iter().map(SentFinding::from).collect(),
            machine: report.machine.map(|machine| {
                let findings = machine.findings.into_iter().map(SentFinding::from).collect();
                (machine.verdict, machine.exhaustive, findings)
            }),
            compiler: report.compiler,
            readings: report.readings,
            ambiguities: report.ambiguities,
            participates_in: report.participates_in,
            outside_interleavings: report.outside_interleavings,
            compiled_from: report.compiled_from,
            limits: report.limits,
            states: report.stats.states,
            millis: report.stats.millis,
            diagnostics: report.diagnostics,
        }
    }
}

impl From<SentReport> for Report {
    fn from(sent: SentReport) -> Self {
        let all = |findings: Vec<SentFinding>| findings.into_iter().map(Finding::from).collect();
        Self {
            schema: String::new(),
            file: String::new(),
            title: String::new(),
            target: sent.target,
            verdict: sent.verdict,
            exhaustive: sent.exhaustive,
            bound: sent.bound,
            proved: sent.proved,
            further: sent.further,
            engine: sent.engine,
            findings: all(sent.findings),
            machine: sent.machine.map(|(verdict, exhaustive, findings)| OracleReport {
                verdict,
                exhaustive,
                findings: all(findings),
            }),
            compiler: sent.compiler,
            readings: sent.readings,
            stuck_everywhere: false,
            ambiguities: sent.ambiguities,
            participates_in: sent.participates_in,
            outside_interleavings: sent.outside_interleavings,
            certificate: None,
            compiled_with: None,
            compiled_from: sent.compiled_from,
            limits: sent.limits,
            represented: Vec::new(),
            stats: Stats { states: sent.states, millis: sent.millis, ..Stats::default() },
            diagnostics: sent.diagnostics,
        }
    }
}

impl From<Finding> for SentFinding {
    fn from(finding: Finding) -> Self {
        let decided = finding.passed().map(|passed| {
            let always = |fact: &Cause| fact.fields.get("always") == Some(&Value::Flag(true));
            (passed.to_owned(), finding.cause.facts_of(ARGUMENTS).any(always))
        });
        Self {
            decided,
            rule: finding.rule,
            class: finding.class,
            schedules: finding.schedules,
            certainty: finding.certainty,
            condition: finding.condition,
            message: finding.message,
            line: finding.line,
            column: finding.column,
            because: finding.because,
            remedy: finding.remedy,
            witness: finding.witness.into_iter().map(|step| step.key).collect(),
            shortest: finding.shortest,
            fix: finding.fix,
        }
    }
}

impl From<SentFinding> for Finding {
    fn from(sent: SentFinding) -> Self {
        let step =
            |key| WitnessStep { agent: String::new(), line: 0, operation: String::new(), key };
        Self {
            rule: sent.rule,
            class: sent.class,
            schedules: sent.schedules,
            certainty: sent.certainty,
            condition: sent.condition,
            cause: sent.decided.map(cause).unwrap_or_default(),
            message: sent.message,
            agent: None,
            line: sent.line,
            column: sent.column,
            because: sent.because,
            remedy: sent.remedy,
            witness: sent.witness.into_iter().map(step).collect(),
            shortest: sent.shortest,
            related: Vec::new(),
            fix: sent.fix,
        }
    }
}

/// The cause with only the arguments of the host that decide.
fn cause((arguments, always): (String, bool)) -> Cause {
    let mut fact = Cause { kind: ARGUMENTS.to_owned(), ..Cause::default() };
    let mut add = |name: &str, value| drop(fact.fields.insert(name.to_owned(), value));
    add("always", Value::Flag(always));
    add(ARGUMENTS, Value::Text(arguments));
    add("decisive", Value::Flag(true));
    Cause { facts: vec![fact], ..Cause::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_check::{Options, Scene, check};

    /// A deadlock and a finding that an argument of the host decides.
    const TEXTS: [&str; 2] = [
        include_str!("../../../examples/join-too-late.tide"),
        "target opencl\nlaunch items=2\nkernel void f(int n) {\n  if (get_local_id(0) == n) barrier(CLK_LOCAL_MEM_FENCE);\n}\n",
    ];

    #[test]
    fn a_sent_report_shows_the_same() {
        for text in TEXTS {
            let whole = check(&Scene::new("a.tide", text), &Options::default(), &mut |_| true);
            let sent = Report::from(SentReport::from(whole.clone()));
            assert!(!whole.findings.is_empty());
            for (one, other) in whole.findings.iter().zip(&sent.findings) {
                for is_whole in [true, false] {
                    assert_eq!(one.occurs(is_whole), other.occurs(is_whole));
                }
                assert_eq!((&one.message, &one.fix), (&other.message, &other.fix));
            }
            assert_eq!(whole.ground().map(|it| &it.rule), sent.ground().map(|it| &it.rule));
            assert_eq!(whole.machine_agrees(), sent.machine_agrees());
            assert_eq!((&whole.verdict, &whole.diagnostics), (&sent.verdict, &sent.diagnostics));
        }
    }
}
