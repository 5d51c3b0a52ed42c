//! `tidegate lower`: a scenario as machine code.

use crate::args::{Lower, Plain};
use crate::exit::{Exit, Failure};
use crate::output::{print_error, print_raw};
use crate::snippet::{Message, Place, statement};
use crate::{human, input, json, options};
use tidegate_check::Scene;
use tidegate_check::lower::{Lowered, LoweringProblem};

/// Runs the command.
pub(crate) fn run(arguments: &Lower) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = Scene::new(&source.name, &source.text);
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
                print_error(&format!("{gap}{}", told(problem, &lowered, &source.text)));
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

/// A problem at its place.
fn told(problem: &LoweringProblem, lowered: &Lowered, text: &str) -> String {
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
