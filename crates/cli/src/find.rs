//! `tidegate find`: finds the smallest scenario with two different verdicts.

use crate::args::{Find, Plain};
use crate::exit::{Exit, Failure};
use crate::human::count;
use crate::names::unknown;
use crate::output::{print, print_raw};
use crate::progress::Progress;
use crate::{escape, input, json, options, walk};
use serde_json::json;
use tidegate_check::Options;
use tidegate_check::find::{ALPHABETS, Alphabet, Found, Limits, alphabets, find};
use tidegate_check::shrink::{Keep, Shrunk, shrink};
use tidegate_check::side::Side;

/// Runs the command.
pub(crate) fn run(arguments: &Find) -> Result<Exit, Failure> {
    let sides = options::sides(&arguments.differ)?;
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let options = Options { target, ..options::judging(&arguments.judging)? };
    if !arguments.within.is_empty() {
        return among_files(arguments, sides, &options);
    }
    let among = match arguments.among.as_slice() {
        [] => alphabets(sides, &options),
        names => names.iter().map(|name| alphabet(name.trim())).collect::<Result<_, _>>()?,
    };
    let limits = Limits {
        statements: arguments.statements.into(),
        agents: arguments.agents.into(),
        scenarios: arguments.max_scenarios,
    };
    let progress = Progress::new(1);
    let found = find(sides, &options, &among, limits, &mut progress.watch());
    drop(progress);
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&found)?)?,
        Plain::Human => {
            let text = found.text.as_ref().map(|text| format!("{text}\n"));
            print_raw(&(text.unwrap_or_default() + &described(&found, sides)))?;
        }
    }
    Ok(match (&found.text, found.complete) {
        (Some(_), _) => Exit::Ok,
        (None, true) => Exit::Found,
        (None, false) => Exit::Unknown,
    })
}

/// Shrinks each scenario of the files and prints the smallest result.
fn among_files(arguments: &Find, sides: [Side; 2], options: &Options) -> Result<Exit, Failure> {
    let files = walk::scenarios(&arguments.within)?;
    let progress = Progress::new(files.len());
    let mut best: Option<(String, Shrunk)> = None;
    for file in &files {
        let source = input::read(file)?;
        let scene = options::scene(&source, &arguments.judging.launched)?;
        let keep = Keep::Difference(sides[0], sides[1]);
        if let Ok(shrunk) = shrink(&scene, options, &keep, &mut progress.watch()) {
            let smaller = |(_, other): &(String, Shrunk)| shrunk.text.len() < other.text.len();
            if best.as_ref().is_none_or(smaller) {
                best = Some((source.name, shrunk));
            }
        }
        progress.finish_one();
    }
    drop(progress);
    let Some((name, shrunk)) = best else {
        let [left, right] = sides.map(Side::name);
        let all = count(files.len() as u64, "scenario");
        print(&format!("# {left} and {right} agree on {all}\n"))?;
        return Ok(Exit::Found);
    };
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&json!({ "file": name, "shrunk": shrunk }))?)?,
        Plain::Human => {
            let (text, kept) = (&shrunk.text, &shrunk.kept);
            print_raw(&format!("{text}\n# {kept}\n# shrunk from {}\n", escape::line(&name)))?;
        }
    }
    Ok(if shrunk.minimal { Exit::Ok } else { Exit::Unknown })
}

fn alphabet(name: &str) -> Result<&'static Alphabet, Failure> {
    Alphabet::from_name(name).ok_or_else(|| {
        let names = ALPHABETS.iter().map(|alphabet| alphabet.name);
        let listed: Vec<&str> = names.clone().collect();
        unknown("alphabet", name, names, &format!("valid alphabets: {}", listed.join(", ")))
    })
}

/// Formats the result as a comment, so that the output is a scenario.
fn described(found: &Found, sides: [Side; 2]) -> String {
    let judged = count(found.judged, "scenario");
    let all = match found.statements {
        0 => String::new(),
        most => format!("; none with up to {} differs", count(most as u64, "statement")),
    };
    let [left, right] = sides.map(Side::name);
    match found.verdicts.as_slice() {
        [first, second] => {
            format!("# {left}: {first}, {right}: {second}; {judged} checked{all}\n")
        }
        _ => format!(
            "# no scenario found on which {left} and {right} differ; {judged} checked{all}\n"
        ),
    }
}
