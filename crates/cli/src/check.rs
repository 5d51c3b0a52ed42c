//! `tidegate check`: the verdict on each file and target, in the order of the command line.

use crate::args::{Check, Format, Launched, Oracle};
use crate::clang;
use crate::exit::{Exit, Failure};
use crate::guard::guarded;
use crate::human::{self, Show};
use crate::input;
use crate::progress::Progress;
use crate::source::Source;
use crate::{json, options, output, sarif};
use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;
use tidegate_check::model::target::TargetId;
use tidegate_check::reader::written_name;
use tidegate_check::report::{Report, ReportDiagnostic};
use tidegate_check::{Launching, Options, Scene};

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
    let judging = Judging {
        targets: targets.as_deref(),
        launching,
        base,
        progress: Progress::new(sources.len()),
    };
    let judged: Vec<Vec<Judged>> = in_parallel(arguments.jobs, || {
        sources
            .par_iter()
            .map(|(source, compiled_for)| judging.file(source, *compiled_for))
            .collect()
    })?;
    drop(judging);
    let sources = sources.into_iter().map(|(source, _)| source);
    let judged: Vec<(Read, Vec<Judged>)> = sources.zip(judged).collect();
    print(arguments, &judged)?;
    let reports = judged.iter().flat_map(|(_, judged)| judged);
    Ok(reports.map(|one| exit_of(&one.report, arguments.oracle)).max().unwrap_or(Exit::Ok))
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

/// A report, and the kernel that it is about if the file has several.
struct Judged {
    kernel: Option<String>,
    report: Report,
}

/// How files are judged.
struct Judging<'a> {
    targets: Option<&'a [TargetId]>,
    launching: Launching,
    base: Options,
    progress: Progress,
}

/// The kernels to judge: all of a text, or those that a name chooses, such as every instance of a template.
fn chosen<'a>(all: &'a [String], entry: Option<&str>) -> Vec<&'a String> {
    let is_chosen = |name: &&String| match entry {
        None => true,
        Some(entry) => *name == entry || written_name(name) == entry,
    };
    let exact = all.iter().find(|name| Some(name.as_str()) == entry);
    exact.map_or_else(|| all.iter().filter(is_chosen).collect(), |name| vec![name])
}

impl Judging<'_> {
    /// Judges a file: each of its kernels on each target. A file that is not valid has one report for each kernel.
    fn file(&self, source: &Read, compiled_for: Option<TargetId>) -> Vec<Judged> {
        let unread = |name: &str, code, failure: &Failure| {
            self.progress.finish_one();
            vec![Judged { kernel: None, report: not_judged(name, code, failure) }]
        };
        let source = match source {
            Ok(source) => source,
            Err((name, failure)) => return unread(name, "unreadable-file", failure),
        };
        let scene = match guarded(&source.name, || source.scene(&self.launching)) {
            Ok(scene) => scene,
            Err(failure) => return unread(&source.name, "internal-error", &failure),
        };
        let chosen = chosen(scene.entries(), self.launching.entry.as_deref());
        let kernels: Vec<Option<String>> = match chosen[..] {
            [_, _, ..] => chosen.into_iter().map(|name| Some(name.clone())).collect(),
            _ => vec![None],
        };
        let targets: Vec<Option<TargetId>> = match (self.targets, compiled_for) {
            (Some(_), Some(target)) if scene.is_valid() => vec![Some(target)],
            (Some(targets), None) if scene.is_valid() => {
                targets.iter().copied().map(Some).collect()
            }
            _ => vec![None],
        };
        self.progress.expect_more(kernels.len() * targets.len() - 1);
        // Without a choice, the scene is that of the first kernel, if the text needs none.
        let mut first = Some(scene).filter(|scene| kernels.len() == 1 || scene.is_valid());
        kernels
            .into_iter()
            .flat_map(|kernel| self.kernel(source, kernel, &targets, first.take()))
            .collect()
    }

    /// Judges a kernel on each target. Each thread reads the text once.
    fn kernel(
        &self,
        source: &Source,
        kernel: Option<String>,
        targets: &[Option<TargetId>],
        scene: Option<Scene>,
    ) -> Vec<Judged> {
        let launching = || Launching {
            entry: kernel.clone().or_else(|| self.launching.entry.clone()),
            ..self.launching.clone()
        };
        let judged = |scene: &mut Option<Scene>, &target: &Option<TargetId>| {
            let report = self.report(source, scene, target, launching);
            let title = kernel.as_ref().map(|kernel| format!("kernel {kernel}"));
            let report = Report { title: title.unwrap_or_else(|| report.title.clone()), ..report };
            Judged { kernel: kernel.clone(), report }
        };
        match targets {
            [target] => vec![judged(&mut { scene }, target)],
            _ => targets.par_iter().map_init(|| None, judged).collect(),
        }
    }

    /// Judges a scene, which is read if there is none yet.
    fn report(
        &self,
        source: &Source,
        scene: &mut Option<Scene>,
        target: Option<TargetId>,
        launching: impl Fn() -> Launching,
    ) -> Report {
        let started = Instant::now();
        let judged = guarded(&source.name, || {
            let scene = scene.get_or_insert_with(|| source.scene(&launching()));
            let options = Options { target, ..self.base.clone() };
            tidegate_check::check(scene, &options, &mut self.progress.watch())
        });
        let mut report =
            judged.unwrap_or_else(|failure| not_judged(&source.name, "internal-error", &failure));
        report.compiled_with = source.code.as_ref().map(|code| code.command.clone());
        report.diagnostics.splice(0..0, source.refused.iter().map(|refused| (**refused).clone()));
        report.stats.millis = started.elapsed().as_secs_f64() * 1e3;
        self.progress.finish_one();
        report
    }
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
    Report::invalid(name, vec![diagnostic])
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
fn print(arguments: &Check, judged: &[(Read, Vec<Judged>)]) -> Result<(), Failure> {
    let all =
        judged.iter().flat_map(|(source, judged)| judged.iter().map(move |one| (source, one)));
    if arguments.format != Format::Human {
        let reports: Vec<Report> = all.map(|(_, one)| one.report.clone()).collect();
        let text = if arguments.format == Format::Json {
            json::reports(&reports)?
        } else {
            sarif::log(&reports)?
        };
        return output::print_raw(&text);
    }
    let mut first = true;
    for (source, Judged { kernel, report }) in all {
        let source = match source {
            Ok(source) => source,
            Err((_, failure)) => {
                output::error(failure);
                continue;
            }
        };
        let show = Show {
            spec: arguments.oracle != Oracle::Machine,
            machine: arguments.oracle != Oracle::Spec,
            uncounted: arguments.participates_in,
            certified: arguments.certificate,
            launched: &options::words(&arguments.judging.launched, kernel.as_deref()),
        };
        let gap = if first { "" } else { "\n" };
        output::print(&format!("{gap}{}", human::report(report, &source.text, show)))?;
        first = false;
        if arguments.oracle == Oracle::Machine
            && report.machine.is_none()
            && report.verdict != "invalid"
        {
            output::error(&Failure::new(format!("no hardware model for {}", report.target)));
        }
    }
    Ok(())
}
