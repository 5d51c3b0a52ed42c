//! `tidegate link`: a share link for a scenario.

use crate::args::Link;
use crate::exit::{Exit, Failure};
use crate::output::{print_error, print_raw};
use crate::{human, input, options, trace};
use std::time::{Duration, Instant};
use tidegate_check::link::{Shared, encode};

/// Longest time to compute the verdict for the link; after it, the link records `unknown`.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Runs the command. A text with errors is shared without a verdict.
pub(crate) fn run(arguments: &Link) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = options::self_contained(&source, &arguments.launched)?;
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let started = Instant::now();
    let report = tidegate_check::check(&scene, &options::verdict_alone(target), &mut |_| {
        started.elapsed() < MAX_TIME
    });
    let mut shared = Shared::of(scene.text(), scene.target(), target, &report);
    if report.verdict == "invalid" {
        for diagnostic in &report.diagnostics {
            print_error(&human::diagnostic(diagnostic, &source.name, scene.text()));
        }
    }
    if arguments.finding.is_some() {
        let finding = trace::choose(&report, arguments.finding)?;
        shared.steps = finding
            .into_iter()
            .flat_map(|finding| &finding.witness)
            .map(|step| step.key.clone())
            .collect();
    }
    let base = arguments.base.as_deref().unwrap_or("");
    let base = base.split_once('#').map_or(base, |(base, _)| base);
    print_raw(&format!("{base}{}\n", encode(&shared))).map(|()| Exit::Ok)
}
