//! `tidegate open`: prints the contents of a share link.

use crate::args::Open;
use crate::exit::{Exit, Failure};
use crate::output::{print, print_raw};
use crate::{escape, options};
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};
use tidegate_check::Scene;
use tidegate_check::link::{Shared, decode, recorded};
use tidegate_check::model::target::TargetId;

/// Longest link read from standard input, in bytes.
const MAX_LINK: u64 = 4 << 20;

/// Longest time to compare the recorded verdict with the current one, because the scenario is untrusted.
const MAX_TIME: Duration = Duration::from_secs(3);

/// Runs the command: prints the text, then comments on the other contents of the link.
pub(crate) fn run(arguments: &Open) -> Result<Exit, Failure> {
    let link = if arguments.link == "-" { from_stdin()? } else { arguments.link.clone() };
    let shared = decode(&link).map_err(|error| Failure::new(error.to_string()))?;
    // The text is untrusted: control characters are removed for a terminal, but not for a file or program.
    if io::stdout().is_terminal() {
        print(&escape::text(&shared.text))?
    } else {
        print_raw(&shared.text)?
    }
    if !arguments.text {
        print(&about(&shared))?;
    }
    Ok(Exit::Ok)
}

fn from_stdin() -> Result<String, Failure> {
    let mut link = String::new();
    io::stdin()
        .lock()
        .take(MAX_LINK)
        .read_to_string(&mut link)
        .map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    Ok(link)
}

/// Formats the other contents of the link as comments.
fn about(shared: &Shared) -> String {
    let mut out = String::new();
    if !shared.text.ends_with('\n') {
        out.push('\n');
    }
    let mut say =
        |what: &str, words: &str| out.push_str(&format!("// {what}: {}\n", escape::line(words)));
    if let Some(target) = &shared.target {
        say("target", target);
    }
    if !shared.steps.is_empty() {
        say("steps", &shared.steps.join(" "));
    }
    if !shared.engine.is_empty() {
        say("engine", &shared.engine);
    }
    say("verdict", &compared(shared));
    out
}

/// Compares the recorded verdict with the verdict of this version.
fn compared(shared: &Shared) -> String {
    let scene = Scene::new("link", &shared.text);
    let target = shared.target.as_deref().and_then(TargetId::from_name);
    let started = Instant::now();
    let options = options::verdict_alone(target);
    let report = tidegate_check::check(&scene, &options, &mut |_| started.elapsed() < MAX_TIME);
    let now = recorded(&report);
    match &shared.verdict {
        None => now,
        Some(then) if *then == now => format!("{now}, as recorded"),
        Some(then) => format!("recorded: {then}; now: {now}"),
    }
}
