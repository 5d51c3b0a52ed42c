//! `tidegate shrink`: the smallest scenario with the same finding.

use crate::args::{Plain, Shrink};
use crate::exit::{Exit, Failure};
use crate::human::{count, diagnostic};
use crate::output::{print_error, print_raw};
use crate::progress::Progress;
use crate::{input, json, options};
use tidegate_check::shrink::{Keep, ShrinkError, Shrunk, shrink};
use tidegate_check::{Options, Scene};

/// Runs the command.
pub(crate) fn run(arguments: &Shrink) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = Scene::new(&source.name, &source.text);
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
            print_raw(&format!("{}\n{}", shrunk.text, told(&shrunk)))?;
        }
    }
    Ok(if shrunk.minimal { Exit::Ok } else { Exit::Unknown })
}

fn failure(error: &ShrinkError) -> Failure {
    match error {
        ShrinkError::Invalid => Failure::new("the scenario is not valid"),
        ShrinkError::NoSuchFinding(0) => Failure::new("nothing was found that could stay")
            .help("--differ X Y keeps that two sides judge it differently"),
        ShrinkError::NoSuchFinding(found) => Failure::new("there is no such finding")
            .help(format!("`tidegate check` shows the findings; there are {found}")),
        ShrinkError::NoDifference(left, right) => {
            Failure::new(format!("the sides do not differ: {left} and {right}"))
        }
    }
}

/// What was kept and how far it went, as comments: the whole is a scenario.
fn told(shrunk: &Shrunk) -> String {
    let end = match shrunk.minimal {
        true => "nothing smaller is one step away",
        false => "a bound ended it: smaller ones may exist",
    };
    let (steps, judged) = (count(shrunk.steps, "step"), count(shrunk.judged, "scenario"));
    format!("# {}\n# {steps}, {judged} judged; {end}\n", shrunk.kept)
}
