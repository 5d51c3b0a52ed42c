//! All checks and tests, stage by stage.

mod known;
mod stages;
mod times;

use crate::context::Context;
use crate::tally::Tally;
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// The result of a stage.
struct Outcome {
    name: &'static str,
    time: Duration,
    tally: Tally,
    error: Option<String>,
}

impl Outcome {
    /// The tests of the stage; a stage that failed without a failed test counts as one.
    fn counted(&self) -> Tally {
        let silent = self.error.is_some() && self.tally.failed == 0;
        Tally { failed: self.tally.failed + u64::from(silent), ..self.tally }
    }

    fn line(&self) -> String {
        let verdict = if self.error.is_some() { "FAILED" } else { "ok" };
        let tests = match self.tally {
            Tally { passed: 0, failed: 0, skipped: 0 } => String::new(),
            Tally { passed, failed, skipped: 0 } => format!("{passed} passed, {failed} failed"),
            Tally { passed, failed, skipped } => {
                format!("{passed} passed, {failed} failed ({skipped} not run)")
            }
        };
        format!("{:<14} {:>7.1} s  {verdict:<7} {tests}", self.name, self.time.as_secs_f64())
    }
}

/// Runs the stages whose names contain one of the words (all stages without words), and ends with the total of tests.
/// Later stages run even if an earlier one fails.
pub(crate) fn run(context: &Context, only: &[String]) -> Result<()> {
    let begin = Instant::now();
    let mut shop = stages::Workshop::new(context);
    let chosen: Vec<_> = stages::STAGES
        .iter()
        .filter(|(name, _)| only.is_empty() || only.iter().any(|word| name.contains(word.as_str())))
        .collect();
    if chosen.is_empty() {
        bail!(
            "no stage matches; the stages are: {}",
            stages::STAGES.map(|(name, _)| name).join(", ")
        );
    }
    let mut outcomes = Vec::new();
    for &&(name, stage) in &chosen {
        eprintln!("--- {name}");
        let start = Instant::now();
        let (tally, error) = match stage(&mut shop) {
            Ok((true, tally)) => (tally, None),
            Ok((false, tally)) => (tally, Some("a test or a check failed".into())),
            Err(error) => (Tally::default(), Some(format!("{error:#}"))),
        };
        if let Some(error) = &error {
            eprintln!("{name}: {error}");
        }
        outcomes.push(Outcome { name, time: start.elapsed(), tally, error });
    }
    let slowest = shop.slowest();
    if !slowest.is_empty() {
        println!("\nthe slowest tests:");
    }
    for (name, seconds) in slowest {
        println!("{seconds:>7.1} s  {name}");
    }
    conclude(&outcomes, begin.elapsed())
}

fn conclude(outcomes: &[Outcome], time: Duration) -> Result<()> {
    println!();
    for outcome in outcomes {
        println!("{}", outcome.line());
    }
    println!("{:<14} {:>7.1} s", "together", time.as_secs_f64());
    for outcome in outcomes {
        if let Some(error) = &outcome.error {
            println!("{}: {error}", outcome.name);
        }
    }
    let sum = outcomes.iter().map(Outcome::counted).fold(Tally::default(), Tally::plus);
    println!("{} passed, {} failed", sum.passed, sum.failed);
    if sum.failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(tally: Tally, error: Option<&str>) -> Outcome {
        Outcome { name: "stage", time: Duration::ZERO, tally, error: error.map(String::from) }
    }

    #[test]
    fn tests_that_did_not_run_are_reported() {
        let none = Tally { passed: 0, failed: 0, skipped: 11 };
        assert!(outcome(none, None).line().ends_with("0 passed, 0 failed (11 not run)"));
        assert!(outcome(Tally::default(), None).line().trim_end().ends_with("ok"));
    }

    #[test]
    fn a_failure_always_counts() {
        let passed = Tally { passed: 3, failed: 0, skipped: 0 };
        assert_eq!(outcome(passed, None).counted().failed, 0);
        assert_eq!(outcome(passed, Some("the build failed")).counted().failed, 1);
        let failed = Tally { passed: 3, failed: 2, skipped: 1 };
        assert_eq!(outcome(failed, Some("tests failed")).counted().failed, 2);
    }
}
