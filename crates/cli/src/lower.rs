//! `tidegate lower`: prints a scenario as machine code.

use crate::args::{Lower, Plain};
use crate::exit::{Exit, Failure};
use crate::output::{print_error, print_raw};
use crate::snippet::{Message, Place, statement};
use crate::{human, input, json, options};
use tidegate_check::lower::{Lowered, LoweringProblem};
use tidegate_check::{Options, Scene, check};

/// Runs the command.
pub(crate) fn run(arguments: &Lower) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = options::scene(&source, &arguments.launched)?;
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let lowered = tidegate_check::lower(&scene, &options::verdict_alone(target));
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&lowered)?)?,
        Plain::Human => {
            for diagnostic in lowered.diagnostics.iter().filter(|_| !scene.is_valid()) {
                print_error(&human::diagnostic(diagnostic, &source.name, &source.text));
            }
            for (index, problem) in lowered.problems.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                print_error(&format!("{gap}{}", described(problem, &lowered, &source.text)));
            }
            if let Some(warning) = of_no_use(&scene, &lowered) {
                print_error(&warning);
            }
            print_raw(&lowered.text)?;
        }
    }
    Ok(if !scene.is_valid() {
        Exit::Usage
    } else if lowered.problems.is_empty() {
        Exit::Ok
    } else {
        Exit::Found
    })
}

/// Largest number of states of the check of the scenario.
const MOST_STATES: u64 = 100_000;

/// A warning if the scenario itself is incorrect: lowering preserves the error.
fn of_no_use(scene: &Scene, lowered: &Lowered) -> Option<String> {
    let options = Options {
        max_states: Some(MOST_STATES),
        ambiguities: false,
        machine: false,
        ..Options::default()
    };
    let judged = || check(scene, &options, &mut |_| true);
    let report = (!lowered.text.is_empty()).then(judged)?;
    let finding = report.findings.first()?;
    let wrong = !["ok", "unknown", "unsupported"].contains(&report.verdict.as_str());
    wrong.then(|| {
        format!(
            "note: the verdict of this scenario on {} is `{}` ({}); run `tidegate check` for the reason\n",
            report.target, report.verdict, finding.rule
        )
    })
}

/// Formats a problem with its position.
fn described(problem: &LoweringProblem, lowered: &Lowered, text: &str) -> String {
    let range = statement(text, problem.line, problem.column);
    let message = Message {
        word: "unsupported",
        id: problem.rule.as_deref().unwrap_or("no-machine-code"),
        title: &problem.message,
        place: range.filter(|_| problem.line > 0).map(|range| Place {
            file: &lowered.file,
            text,
            range,
        }),
        label: Some(problem.agent.as_str()).filter(|agent| !agent.is_empty()),
        footer: Vec::new(),
    };
    message.render()
}
