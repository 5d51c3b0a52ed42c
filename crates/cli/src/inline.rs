//! `tidegate inline`: a call inlined, and what that changes at each wait for async marks.

use crate::args::{Inline, Plain};
use crate::exit::{Exit, Failure};
use crate::output::{print_error, print_raw};
use crate::{input, json};
use tidegate_check::Scene;
use tidegate_check::inline::{Inlined, Marked, WaitChange};

/// Runs the command.
pub(crate) fn run(arguments: &Inline) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = Scene::new(&source.name, &source.text);
    let inlined = match tidegate_check::inline::inline(&scene, arguments.line) {
        Ok(inlined) => inlined,
        Err(reason) => {
            print_error(&reason);
            return Ok(Exit::Usage);
        }
    };
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&inlined)?)?,
        Plain::Human => print_raw(&human(&inlined))?,
    }
    Ok(Exit::Ok)
}

/// The text, then what changes as comments: the whole is a scenario.
fn human(inlined: &Inlined) -> String {
    let waits: String = inlined.waits.iter().map(told).collect();
    let gap = if inlined.text.ends_with('\n') { "" } else { "\n" };
    format!("{}{gap}\n{waits}", inlined.text)
}

fn told(wait: &WaitChange) -> String {
    let WaitChange { agent, operation, line_after, .. } = wait;
    let time = time(wait.time, wait.times);
    let (before, after) = (marks(&wait.before), marks(&wait.after));
    let says = if wait.changes {
        format!("completes {after}; before the inlining {before}")
    } else {
        format!("completes {after}, as before")
    };
    format!("# line {line_after}{time}, {agent}: `{operation}` {says}\n")
}

/// Which time it is, where there are several.
fn time(time: u32, times: u32) -> String {
    if times > 1 { format!(" (time {time} of {times})") } else { String::new() }
}

fn marks(marks: &[Marked]) -> String {
    let lines: Vec<String> =
        marks.iter().map(|mark| format!("{}{}", mark.line, time(mark.time, mark.times))).collect();
    match lines.as_slice() {
        [] => "no mark".into(),
        [one] => format!("the mark of line {one}"),
        many => format!("the marks of lines {}", many.join(", ")),
    }
}
