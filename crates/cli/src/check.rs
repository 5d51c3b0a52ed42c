//! `tidegate check`: the verdict on each file and target, in the order of the command line.

use crate::args::{Check, Format, Launched, Oracle};
use crate::clang;
use crate::exit::{Exit, Failure};
use crate::guard::guarded;
use crate::human::{self, Show};
use crate::input::{self, Source};
use crate::progress::Progress;
use crate::{json, options, output, sarif};
use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;
use tidegate_check::model::target::TargetId;
use tidegate_check::report::{Report, ReportDiagnostic, SCHEMA};
use tidegate_check::{Launching, Options};

/// A scenario, or why it cannot be read.
type Read = Result<Source, (String, Failure)>;

/// Runs the command.
pub(crate) fn run(arguments: &Check) -> Result<Exit, Failure> {
    let targets = arguments.target.as_deref().map(options::targets).transpose()?;
    let base = Options {
        ambiguities: arguments.oracle != Oracle::Machine,
        machine: arguments.oracle != Oracle::Spec,
        participates_in: arguments.participates_in,
        certificate: arguments.certificate,
        engine: options::engine(arguments.engine),
        without: options::without(&arguments.without)?,
        ..options::judging(&arguments.judging)?
    };
    let launching = options::launching(&arguments.judging.launched)?;
    let how = &arguments.judging.launched;
    let sources: Vec<(Read, Option<TargetId>)> =
        arguments.files.iter().flat_map(|path| read(path, targets.as_deref(), how)).collect();
    let work = plan(&sources, targets.as_deref(), &launching);
    let sources: Vec<Read> = sources.into_iter().map(|(source, _)| source).collect();
    let progress = Progress::new(work.len());
    let reports: Vec<(usize, Report)> = in_parallel(arguments.jobs, || {
        work.par_iter()
            .map(|one| (one.index, judge(&sources[one.index], one, &base, &progress)))
            .collect()
    })?;
    drop(progress);
    print(arguments, &sources, &reports)?;
    Ok(reports
        .iter()
        .map(|(_, report)| exit_of(report, arguments.oracle))
        .max()
        .unwrap_or(Exit::Ok))
}

/// Reads a file: once, or once for each target for which it is compiled.
fn read(
    path: &Path,
    targets: Option<&[TargetId]>,
    how: &Launched,
) -> Vec<(Read, Option<TargetId>)> {
    let source = match input::read(path) {
        Ok(source) => source,
        Err(failure) => return vec![(Err((input::name_of(path), failure)), None)],
    };
    match targets.filter(|_| clang::is_for_one_processor(&source.name)) {
        Some(targets) => targets
            .iter()
            .map(|&target| (Ok(source.clone().compiled(Some(target), how)), Some(target)))
            .collect(),
        None => vec![(Ok(source.compiled(None, how)), None)],
    }
}

/// Runs `work` on that many threads; one for each processor when absent.
pub(crate) fn in_parallel<T: Send>(
    jobs: Option<u16>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build();
    pool.map(|pool| pool.install(work))
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))
}

/// A file to judge, or one of its kernels, on one target.
struct Work {
    index: usize,
    target: Option<TargetId>,
    launching: Launching,
    /// The kernel, if the file has several.
    kernel: Option<String>,
}

/// The kernels to judge one by one, and whether the first of them is valid. A file without several kernels has one `None`.
/// A file on which reading panics is judged once, and the panic is reported then.
fn kernels(source: &Source, launching: &Launching) -> (Vec<Option<String>>, bool) {
    let read = |launching: &Launching| guarded(&source.name, || source.scene(launching)).ok();
    let whole = || vec![None];
    let Some(scene) = read(launching) else { return (whole(), false) };
    let [first, _, ..] = scene.entries() else { return (whole(), scene.is_valid()) };
    if launching.entry.is_some() {
        return (whole(), scene.is_valid());
    }
    let first = Launching { entry: Some(first.clone()), ..launching.clone() };
    let valid = read(&first).is_some_and(|scene| scene.is_valid());
    (scene.entries().iter().cloned().map(Some).collect(), valid)
}

/// The pairs of file and target to check. An invalid file has one entry.
fn plan(
    sources: &[(Read, Option<TargetId>)],
    targets: Option<&[TargetId]>,
    launching: &Launching,
) -> Vec<Work> {
    let mut work = Vec::new();
    for (index, (source, compiled_for)) in sources.iter().enumerate() {
        let (kernels, valid) = match source {
            Ok(source) => kernels(source, launching),
            Err(_) => (vec![None], false),
        };
        for kernel in kernels {
            let entry = kernel.clone().or_else(|| launching.entry.clone());
            let one = |target| Work {
                index,
                target,
                launching: Launching { entry: entry.clone(), ..launching.clone() },
                kernel: kernel.clone(),
            };
            match targets.filter(|_| valid) {
                Some(_) if compiled_for.is_some() => work.push(one(*compiled_for)),
                Some(targets) => work.extend(targets.iter().copied().map(Some).map(one)),
                None => work.push(one(None)),
            }
        }
    }
    work
}

fn judge(source: &Read, work: &Work, base: &Options, progress: &Progress) -> Report {
    let started = Instant::now();
    let mut report = match source {
        Ok(source) => {
            let judged = guarded(&source.name, || {
                let scene = source.scene(&work.launching);
                let options = Options { target: work.target, ..base.clone() };
                tidegate_check::check(&scene, &options, &mut progress.watch())
            });
            judged.unwrap_or_else(|failure| not_judged(&source.name, "internal-error", &failure))
        }
        Err((name, failure)) => not_judged(name, "unreadable-file", failure),
    };
    if let Ok(source) = source {
        report.compiled_with = source.code.as_ref().map(|code| code.command.clone());
        report.diagnostics.splice(0..0, source.refused.iter().map(|refused| (**refused).clone()));
    }
    if let Some(kernel) = &work.kernel {
        report.title = format!("kernel {kernel}");
    }
    report.stats.millis = started.elapsed().as_secs_f64() * 1e3;
    progress.finish_one();
    report
}

/// The report on a file that could not be read or checked.
fn not_judged(name: &str, code: &str, failure: &Failure) -> Report {
    let diagnostic = ReportDiagnostic {
        code: code.into(),
        severity: "error".into(),
        line: 0,
        column: 0,
        length: 0,
        offset: 0,
        message: failure.message.clone(),
        suggestion: failure.help.clone(),
        replacement: None,
    };
    Report {
        stuck_everywhere: false,
        schema: SCHEMA.into(),
        file: name.into(),
        title: String::new(),
        target: String::new(),
        verdict: "invalid".into(),
        exhaustive: false,
        bound: None,
        proved: None,
        further: None,
        engine: "explore".into(),
        findings: Vec::new(),
        machine: None,
        compiler: None,
        readings: Default::default(),
        ambiguities: Vec::new(),
        participates_in: None,
        certificate: None,
        compiled_with: None,
        compiled_from: Vec::new(),
        outside_interleavings: None,
        limits: Vec::new(),
        represented: Vec::new(),
        stats: Default::default(),
        diagnostics: vec![diagnostic],
    }
}

fn exit_of(report: &Report, oracle: Oracle) -> Exit {
    match (oracle, &report.machine) {
        (Oracle::Machine, Some(machine)) if report.verdict != "invalid" => {
            Exit::of_verdict(&machine.verdict)
        }
        (Oracle::Machine, None) => Exit::Usage,
        _ => Exit::of_verdict(&report.verdict),
    }
}

/// Prints reports to standard output; in human format, unreadable files are reported on standard error.
fn print(arguments: &Check, sources: &[Read], reports: &[(usize, Report)]) -> Result<(), Failure> {
    if arguments.format != Format::Human {
        let reports: Vec<Report> = reports.iter().map(|(_, report)| report.clone()).collect();
        let text = if arguments.format == Format::Json {
            json::reports(&reports)?
        } else {
            sarif::log(&reports)?
        };
        return output::print_raw(&text);
    }
    let show = Show {
        spec: arguments.oracle != Oracle::Machine,
        machine: arguments.oracle != Oracle::Spec,
        uncounted: arguments.participates_in,
        certified: arguments.certificate,
    };
    let mut first = true;
    for (index, report) in reports {
        match &sources[*index] {
            Ok(source) => {
                let gap = if first { "" } else { "\n" };
                output::print(&format!("{gap}{}", human::report(report, &source.text, show)))?;
                first = false;
                if arguments.oracle == Oracle::Machine
                    && report.machine.is_none()
                    && report.verdict != "invalid"
                {
                    output::error(&Failure::new(format!(
                        "no hardware model for {}",
                        report.target
                    )));
                }
            }
            Err((_, failure)) => output::error(failure),
        }
    }
    Ok(())
}
