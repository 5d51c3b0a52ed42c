//! `tidegate test`: tests every expectation of every scenario in files and folders.

use crate::args::{Plain, Test};
use crate::check::in_parallel;
use crate::exit::{Exit, Failure};
use crate::guard::guarded;
use crate::human::{count, diagnostic};
use crate::input::{self, name_of};
use crate::output::{BOLD, print, print_raw, style_of, styled};
use crate::progress::Progress;
use crate::source::Source;
use crate::walk::{Shard, scenarios};
use crate::{escape, json, options};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tidegate_check::expect::{Outcome, expectations};
use tidegate_check::report::ReportDiagnostic;
use tidegate_check::{Launching, Options, Scene};

/// The result of one file.
enum Ran {
    /// The file cannot be read.
    Unreadable(Failure),
    /// The check panicked.
    Crashed(Failure),
    /// The file is not a valid scenario.
    Invalid { text: String, diagnostics: Vec<ReportDiagnostic> },
    /// The results of its expectations.
    Judged { text: String, outcomes: Vec<Outcome> },
}

impl Ran {
    /// The numbers of passed and failed expectations; a file that cannot be run counts as one failure.
    fn counts(&self) -> (usize, usize) {
        match self {
            Self::Judged { outcomes, .. } => {
                let passed = outcomes.iter().filter(|outcome| outcome.passed).count();
                (passed, outcomes.len() - passed)
            }
            Self::Unreadable(_) | Self::Crashed(_) | Self::Invalid { .. } => (0, 1),
        }
    }
}

impl Ran {
    /// Whether every failure is a reached search limit.
    fn is_only_bounded(&self) -> bool {
        let bounded = |outcome: &Outcome| outcome.passed || outcome.got.contains("unknown");
        matches!(self, Self::Judged { outcomes, .. } if outcomes.iter().all(bounded))
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Test) -> Result<Exit, Failure> {
    let base = options::judging(&arguments.judging)?;
    let launching = options::launching(&arguments.judging.launched)?;
    let shard = match arguments.shard.as_deref() {
        Some(words) => Some(Shard::parse(words)?),
        None => Shard::from_environment(|name| std::env::var(name).ok())?,
    };
    let all = scenarios(&arguments.paths)?;
    if all.is_empty() {
        return Err(Failure::new("no .tide file found"));
    }
    let files = shard.map_or(all.clone(), |shard| shard.of(all));
    let progress = Progress::new(files.len());
    let ran: Vec<Ran> = in_parallel(arguments.jobs, || {
        files.par_iter().map(|file| run_file(file, &launching, &base, &progress)).collect()
    })?;
    drop(progress);
    let (passed, failed) =
        ran.iter().map(Ran::counts).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    for (file, ran) in files.iter().zip(&ran) {
        match arguments.format {
            Plain::Human => print(&failures(&name_of(file), ran))?,
            Plain::Json => print_raw(&json::line(&as_json(&name_of(file), ran))?)?,
        }
    }
    if arguments.format == Plain::Human {
        print(&oracles(&ran))?;
        print(&format!("{passed} passed, {failed} failed\n"))?;
    }
    let judged = ran.iter().all(|ran| matches!(ran, Ran::Judged { .. } | Ran::Crashed(_)));
    Ok(match (judged, failed) {
        (false, _) => Exit::Usage,
        (true, 0) => Exit::Ok,
        (true, _) if ran.iter().all(Ran::is_only_bounded) => Exit::Unknown,
        (true, _) => Exit::Found,
    })
}

fn run_file(file: &Path, launching: &Launching, base: &Options, progress: &Progress) -> Ran {
    let source = match input::read(file) {
        Ok(source) => source,
        Err(failure) => return Ran::Unreadable(failure),
    };
    let judge = |scene: &Scene| expectations(scene, base, &mut progress.watch());
    let ran = run_scenario(&source, launching, judge);
    progress.finish_one();
    ran
}

fn run_scenario(
    source: &Source,
    launching: &Launching,
    judge: impl FnOnce(&Scene) -> Vec<Outcome>,
) -> Ran {
    let (name, text) = (&source.name, source.text.clone());
    let outcomes = guarded(name, || {
        let scene = Scene::launched(name, &text, launching);
        let judged = scene.is_valid() || scene.exceeds().is_some();
        if judged { Ok(judge(&scene)) } else { Err(scene.diagnostics()) }
    });
    match outcomes {
        Ok(Ok(outcomes)) => Ran::Judged { text, outcomes },
        Ok(Err(diagnostics)) => Ran::Invalid { text, diagnostics },
        Err(failure) => Ran::Crashed(failure),
    }
}

/// Formats the failures of one file.
fn failures(name: &str, ran: &Ran) -> String {
    match ran {
        Ran::Unreadable(failure) | Ran::Crashed(failure) => {
            format!("{}\n", head(name, &escape::line(&failure.to_string())))
        }
        Ran::Invalid { text, diagnostics } => {
            let diagnostics: String =
                diagnostics.iter().map(|one| diagnostic(one, name, text)).collect();
            format!("{}{diagnostics}\n", head(name, "not a valid scenario"))
        }
        Ran::Judged { text, outcomes } => {
            let failed = outcomes.iter().filter(|outcome| !outcome.passed);
            failed.map(|outcome| failure(name, text, outcome)).collect()
        }
    }
}

/// Counts how often the hardware model agrees with the specification, once for each file and target.
fn oracles(ran: &[Ran]) -> String {
    let (mut agree, mut differ) = (0_u64, 0_u64);
    for ran in ran {
        let Ran::Judged { outcomes, .. } = ran else { continue };
        let by_target: BTreeMap<&str, bool> = outcomes
            .iter()
            .filter_map(|outcome| Some((outcome.target.as_str(), outcome.machine_agrees?)))
            .collect();
        let here = by_target.values().filter(|agrees| **agrees).count() as u64;
        agree += here;
        differ += by_target.len() as u64 - here;
    }
    match agree + differ {
        0 => String::new(),
        all => format!(
            "hardware model: agrees with the specification in {agree} of {}\n",
            count(all, "check")
        ),
    }
}

fn head(place: &str, what: &str) -> String {
    format!(
        "{} {}: {what}\n",
        styled(style_of("failed"), "failed"),
        styled(BOLD, &escape::line(place))
    )
}

/// Formats a failed expectation with its witness.
fn failure(name: &str, text: &str, outcome: &Outcome) -> String {
    let place = format!("{name}:{}", outcome.line);
    let written = escape::line(line_of(text, outcome));
    let mut out = head(&place, &format!("{written} on {}", outcome.target));
    out.push_str(&format!(
        "  expected  {}\n  got       {}\n",
        escape::line(&outcome.wanted),
        escape::line(&outcome.got)
    ));
    if let (Some(machine), Some(agrees)) = (&outcome.machine, outcome.machine_agrees) {
        let how = if agrees { "agrees with" } else { "differs from" };
        out.push_str(&format!("  hardware model {machine}, {how} the specification\n"));
    }
    if !outcome.witness.is_empty() {
        out.push_str(&format!("  witness ({})\n", count(outcome.witness.len() as u64, "step")));
    }
    for (index, step) in outcome.witness.iter().enumerate() {
        let line = if step.line == 0 { String::new() } else { format!(" (line {})", step.line) };
        out.push_str(&format!(
            "    {}. {}: {}{line}\n",
            index + 1,
            escape::line(&step.agent),
            escape::line(&step.operation)
        ));
    }
    out.push('\n');
    out
}

/// The line of an expectation, as written.
fn line_of<'a>(text: &'a str, outcome: &Outcome) -> &'a str {
    text.lines().nth((outcome.line as usize).saturating_sub(1)).unwrap_or_default().trim()
}

fn as_json(name: &str, ran: &Ran) -> Value {
    let (passed, failed) = ran.counts();
    let (diagnostics, outcomes) = match ran {
        Ran::Unreadable(failure) => {
            (json!([{ "code": "unreadable-file", "message": failure.to_string() }]), Vec::new())
        }
        Ran::Crashed(failure) => {
            (json!([{ "code": "internal-error", "message": failure.to_string() }]), Vec::new())
        }
        Ran::Invalid { diagnostics, .. } => (json!(diagnostics), Vec::new()),
        Ran::Judged { text, outcomes } => {
            (json!([]), outcomes.iter().map(|outcome| outcome_json(text, outcome)).collect())
        }
    };
    json!({
        "schema": "tidegate.test/1", "file": name, "passed": passed, "failed": failed,
        "diagnostics": diagnostics, "expectations": outcomes,
    })
}

fn outcome_json(text: &str, outcome: &Outcome) -> Value {
    json!({
        "line": outcome.line, "text": line_of(text, outcome), "target": outcome.target, "passed": outcome.passed,
        "wanted": outcome.wanted, "got": outcome.got,
        "machine": outcome.machine, "machine_agrees": outcome.machine_agrees,
        "witness": if outcome.passed { json!([]) } else { json!(outcome.witness) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_costs_its_scenario_and_not_the_run() {
        let texts = ["target model\nwave 0 { }\n", "nonsense {"];
        let crash = |_: &Scene| -> Vec<Outcome> { panic!("an index of no instance") };
        let source = |text: &str| Source::new("a.tide".into(), text.into());
        let launching = Launching::default();
        let crashed = run_scenario(&source(texts[0]), &launching, crash);
        assert_eq!(crashed.counts(), (0, 1));
        assert!(!crashed.is_only_bounded());
        let said = failures("a.tide", &crashed);
        assert!(said.contains("internal error in a.tide: an index of no instance"), "{said}");
        assert_eq!(as_json("a.tide", &crashed)["diagnostics"][0]["code"], "internal-error");
        let judged = run_scenario(&source(texts[0]), &launching, |_| Vec::new());
        assert!(matches!(judged, Ran::Judged { .. }));
        let invalid = run_scenario(&source(texts[1]), &launching, |_| Vec::new());
        assert!(matches!(invalid, Ran::Invalid { .. }));
    }
}
