//! Expectations: what a scenario says of itself, held against what is found.

use crate::check::check;
use crate::judge::KeepGoing;
use crate::report::{Finding, Report, WitnessStep};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::scenario::{Expectation, Expected, Oracle};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::target::TargetId;
use tidegate_model::verdict::Schedules;

/// One expectation on one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Line of the expectation.
    pub line: u32,
    /// The target.
    pub target: String,
    /// Whether it holds.
    pub passed: bool,
    /// The expected result.
    pub wanted: String,
    /// The actual result.
    pub got: String,
    /// A witness of the first finding, if there is one.
    pub witness: Vec<WitnessStep>,
    /// The verdict of the hardware model on the target, if there is one.
    pub machine: Option<String>,
    /// Whether the hardware model agrees with the specification.
    pub machine_agrees: Option<bool>,
}

/// Holds every expectation of a scenario against its report on each target that it names.
///
/// ```
/// use tidegate_check::{Options, Scene, expect::expectations};
///
/// let text = "target gfx1250\nlaunch waves=2\nkernel { arrive wg; wait wg }\nexpect ok\nexpect deadlock\n";
/// let scene = Scene::new("two-waves.tide", text);
/// let outcomes = expectations(&scene, &Options::default(), &mut |_| true);
/// assert!(outcomes[0].passed);
/// assert_eq!((outcomes[1].passed, &*outcomes[1].got), (false, "ok"));
/// ```
pub fn expectations(scene: &Scene, base: &Options, keep_going: KeepGoing<'_>) -> Vec<Outcome> {
    let counts = scene
        .expectations()
        .iter()
        .any(|expectation| matches!(expectation.expected, Expected::ParticipatesIn { .. }));
    let mut reports: OrderedMap<TargetId, Report> = OrderedMap::new();
    let mut outcomes = Vec::new();
    for expectation in scene.expectations() {
        // An expectation without a target applies to the scenario's own target, whichever target is checked.
        let own = [Options::default().target_of(scene)];
        let targets = if expectation.targets.is_empty() { &own[..] } else { &expectation.targets };
        for &target in targets {
            let options = Options { target: Some(target), participates_in: counts, ..base.clone() };
            let report =
                reports.entry(target).or_insert_with(|| check(scene, &options, keep_going));
            outcomes.push(hold(expectation, report));
        }
    }
    outcomes
}

fn hold(expectation: &Expectation, report: &Report) -> Outcome {
    let (passed, wanted, got) = match &expectation.expected {
        Expected::Verdict { oracle, verdict, rules } => {
            verdict_holds(*oracle, verdict.word(), rules, report)
        }
        Expected::Compiler(wanted) => {
            let found = report.compiler.as_ref().map(|compiler| compiler.verdict.as_str());
            let got =
                found.map_or("no compiler oracle".to_owned(), |got| format!("compiler {got}"));
            (found == Some(wanted), format!("compiler {wanted}"), got)
        }
        Expected::Ambiguous(id) => {
            let found: Vec<String> =
                report.ambiguities.iter().map(|ambiguity| ambiguity.id.clone()).collect();
            (
                found.contains(id),
                format!("ambiguous {id}"),
                format!("ambiguous in {}", or_nothing(&found)),
            )
        }
        Expected::ParticipatesIn { unique } => {
            let word = |unique: bool| if unique { "unique" } else { "multiple" };
            let found = report.participates_in.as_ref().map(|counted| counted.unique);
            let got = found.map_or("participates-in not counted".to_owned(), |unique| {
                format!("participates-in {}", word(unique))
            });
            (found == Some(*unique), format!("participates-in {}", word(*unique)), got)
        }
        Expected::Schedules(wanted) => {
            // If one of them occurs in every schedule, every schedule ends in one.
            let found = || report.findings.iter().filter(|finding| finding.class == "deadlock");
            let everywhere = found().find(|finding| finding.schedules == Schedules::All.word());
            let deadlock = everywhere.or_else(|| found().next());
            let none =
                if report.exhaustive { "no deadlock" } else { "unknown: search limit reached" };
            let schedules = deadlock.map(|finding| match report.stuck_everywhere {
                true => Schedules::All.word(),
                // The other executions may end without one.
                false if !report.exhaustive => "unknown: search limit reached",
                false => finding.schedules.as_str(),
            });
            let got = schedules.map_or(none.to_owned(), |word| format!("schedules {word}"));
            (schedules == Some(wanted.word()), format!("schedules {}", wanted.word()), got)
        }
    };
    let witness = report.findings.first().map_or_else(Vec::new, |finding| finding.witness.clone());
    Outcome {
        line: expectation.span.line,
        target: report.target.clone(),
        passed,
        wanted,
        got,
        witness,
        machine: report.machine.as_ref().map(|machine| machine.verdict.clone()),
        machine_agrees: report.machine_agrees(),
    }
}

fn verdict_holds(
    oracle: Oracle,
    verdict: &str,
    rules: &[String],
    report: &Report,
) -> (bool, String, String) {
    let (name, found, findings) = match (oracle, &report.machine) {
        (Oracle::Spec, _) => ("", report.verdict.as_str(), &report.findings[..]),
        (Oracle::Machine, Some(machine)) => {
            ("machine ", machine.verdict.as_str(), &machine.findings[..])
        }
        (Oracle::Machine, None) => ("machine ", "none", &[][..]),
    };
    let has = |rule: &String| findings.iter().any(|finding| finding.rule == *rule);
    let passed = found == verdict && rules.iter().all(has);
    (passed, line(name, verdict, rules), line(name, found, &names(findings)))
}

fn names(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.rule.clone()).collect()
}

fn line(oracle: &str, verdict: &str, rules: &[String]) -> String {
    format!("{oracle}{verdict} {}", rules.join(" ")).trim_end().to_string()
}

fn or_nothing(items: &[String]) -> String {
    if items.is_empty() { "nothing".to_owned() } else { items.join(", ") }
}
