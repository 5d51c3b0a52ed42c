//! `tidegate shrink`: shrinks a scenario to the smallest one with the same finding.

use crate::args::{Plain, Shrink};
use crate::exit::{Exit, Failure};
use crate::human::{count, diagnostic};
use crate::output::{print_error, print_raw};
use crate::progress::Progress;
use crate::{input, json, options};
use tidegate_check::Options;
use tidegate_check::shrink::{Keep, ShrinkError, Shrunk, shrink};

/// Runs the command.
pub(crate) fn run(arguments: &Shrink) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = options::self_contained(&source, &arguments.judging.launched)?;
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let options = Options { target, ..options::judging(&arguments.judging)? };
    let keep = match arguments.differ.as_slice() {
        [] => Keep::Finding(arguments.finding.map_or(0, |number| number as usize - 1)),
        sides => {
            let [left, right] = options::sides(sides)?;
            Keep::Difference(left, right)
        }
    };
    let progress = Progress::new(1);
    let shrunk = match shrink(&scene, &options, &keep, &mut progress.watch()) {
        Ok(shrunk) => shrunk,
        Err(ShrinkError::Invalid) => {
            for one in scene.diagnostics() {
                print_error(&diagnostic(&one, &source.name, &source.text));
            }
            return Ok(Exit::Usage);
        }
        Err(error) => return Err(failure(&error)),
    };
    drop(progress);
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&shrunk)?)?,
        Plain::Human => {
            print_raw(&format!("{}\n{}", shrunk.text, described(&shrunk)))?;
        }
    }
    Ok(if shrunk.minimal { Exit::Ok } else { Exit::Unknown })
}

fn failure(error: &ShrinkError) -> Failure {
    match error {
        ShrinkError::Invalid => Failure::new("the scenario is not valid"),
        ShrinkError::NoSuchFinding(0) => Failure::new("the scenario has no finding to keep")
            .help("use --differ X Y to keep different verdicts of two sides"),
        ShrinkError::NoSuchFinding(found) => Failure::new("no such finding")
            .help(format!("`tidegate check` lists {}", count(*found as u64, "finding"))),
        ShrinkError::NoDifference(left, right) => {
            Failure::new(format!("the verdicts do not differ: {left} and {right}"))
        }
    }
}

/// Formats what was kept and the extent of the search as comments, so that the output is a scenario.
fn described(shrunk: &Shrunk) -> String {
    let end = match shrunk.minimal {
        true => "no smaller step keeps it",
        false => "search limit reached, a smaller scenario may exist",
    };
    let (steps, judged) = (count(shrunk.steps, "step"), count(shrunk.judged, "scenario"));
    format!("# {}\n# {steps}, {judged} checked; {end}\n", shrunk.kept)
}
