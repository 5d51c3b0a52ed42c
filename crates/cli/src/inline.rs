//! `tidegate inline`: inlines a call and prints the changes at each wait for async marks.

use crate::args::{Inline, Plain};
use crate::exit::{Exit, Failure};
use crate::output::{print_error, print_raw};
use crate::{input, json, options};
use tidegate_check::Scene;
use tidegate_check::inline::{Inlined, Marked, WaitChange};

/// Runs the command.
pub(crate) fn run(arguments: &Inline) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = options::scene(&source, &arguments.launched)?;
    let Some(line) = arguments.line else {
        print_error(&which(&scene));
        return Ok(Exit::Usage);
    };
    let inlined = match tidegate_check::inline::inline(&scene, line) {
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

/// Largest number of lines that are tried for a call.
const MOST_LINES: usize = 200;

/// Lists the calls that can be inlined.
fn which(scene: &Scene) -> String {
    let written = (1..).zip(scene.text().lines()).filter(|(_, line)| line.contains('('));
    let calls = written.take(MOST_LINES).map(|(number, _)| number);
    let calls = calls.filter(|&number| tidegate_check::inline::inline(scene, number).is_ok());
    let calls: Vec<String> = calls.map(|number: u32| number.to_string()).collect();
    match calls.as_slice() {
        [] => "no call can be inlined".to_owned(),
        [one] => format!("missing `--line`: the only call is `--line {one}`"),
        [first, ..] => {
            let all = calls.join(", ");
            format!("missing `--line`, such as `--line {first}`; the calls are in lines {all}")
        }
    }
}

/// Formats the new scenario; the changes follow as comments, so that the output is a scenario.
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
        format!("completes {after}; before inlining, {before}")
    } else {
        format!("completes {after}, unchanged")
    };
    format!("# line {line_after}{time}, {agent}: `{operation}` {says}\n")
}

/// The occurrence, if there are several.
fn time(time: u32, times: u32) -> String {
    if times > 1 { format!(" (time {time} of {times})") } else { String::new() }
}

fn marks(marks: &[Marked]) -> String {
    let lines: Vec<String> =
        marks.iter().map(|mark| format!("{}{}", mark.line, time(mark.time, mark.times))).collect();
    match lines.as_slice() {
        [] => "no mark".into(),
        [one] => format!("the mark in line {one}"),
        many => format!("the marks in lines {}", many.join(", ")),
    }
}
