//! The answers about a scenario: its report, its certificate, and the relations of its executions.

use crate::choice::specification_of;
use crate::edit::written::Written;
use crate::graph::build::of_outside;
use crate::graph::{ExecutionGraph, GraphError, Pick};
use crate::judge::KeepGoing;
use crate::judged::judged;
use crate::mend;
use crate::report::{Certificate, CompiledFrom, Finding, Report};
use crate::scene::{Options, Scene};
use crate::subject::Subject;
use crate::tell::names::line;
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;

/// Checks a scenario on one target. `keep_going` is called periodically with the progress so far; `false` cancels, and
/// the report is then not exhaustive.
pub fn check(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Report {
    let mut report = judged(scene, options, keep_going);
    if options.ambiguities && scene.restricted().is_empty() && scene.can_be_edited() {
        mend::offer(scene, options, &mut report, keep_going);
    }
    if options.certificate && report.engine == "fast" {
        report.certificate = certificate(scene, options, keep_going);
    }
    let of_machine = report.machine.iter_mut().flat_map(|machine| &mut machine.findings);
    report.findings.iter_mut().chain(of_machine).for_each(in_shape);
    if !scene.can_be_edited() {
        report.findings.iter_mut().for_each(|finding| finding.fix = None);
    }
    let written = Written::of(scene.text());
    let fixes = report.findings.iter_mut().filter_map(|finding| finding.fix.as_mut());
    fixes.for_each(|fix| written.lay_out(fix));
    report.compiled_from = compiled_from(scene, &report);
    report
}

/// The certificate of the verdict of a scenario; `None` if one run does not prove it.
///
/// The certificate has been checked by [`tidegate_model::one_run::certificate`], which shares nothing with the engine.
pub fn certificate(
    scene: &Scene,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<Certificate> {
    let context = scene.context()?;
    let subject = Subject::new(scene, &context, options);
    specification_of(subject).certificate(subject, keep_going)
}

/// Returns the graph of one execution of a scenario. The target and the readings determine its findings and the drops at the
/// ends of waves.
///
/// # Errors
/// If the text is invalid or mixes barriers of several documents, the finding does not exist, or the execution is too
/// large.
pub fn graph(
    scene: &Scene,
    options: &Options,
    pick: Pick,
    keep_going: KeepGoing<'_>,
) -> Result<ExecutionGraph, GraphError> {
    let context = scene.context().ok_or(GraphError::Invalid)?;
    let subject = Subject::new(scene, &context, options);
    specification_of(subject).graph(subject, pick, keep_going)
}

/// Returns the graph of a whole execution that matches no interleaving, one that breaks a rule if possible; `None` if there
/// is none, or if the program is too large to search.
///
/// # Errors
/// If the text is invalid, the program is too large, or the scenario is not AMDGPU.
pub fn outside(
    scene: &Scene,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Result<Option<ExecutionGraph>, GraphError> {
    let context = scene.context().ok_or(GraphError::Invalid)?;
    let subject = Subject::new(scene, &context, options);
    if !specification_of(subject).has_axioms() {
        return Err(GraphError::NoRelations);
    }
    let spec = subject.spec().ok_or(GraphError::TooLarge)?;
    Ok(of_outside(scene, &spec, options.left_out(), keep_going))
}

/// Where the lines that a report names come from.
fn compiled_from(scene: &Scene, report: &Report) -> Vec<CompiledFrom> {
    let mut lines: OrderedSet<u32> = report.diagnostics.iter().map(|found| found.line).collect();
    let of_machine = report.machine.iter().flat_map(|machine| &machine.findings);
    for finding in report.findings.iter().chain(of_machine) {
        lines.extend(finding.line);
        lines.extend(finding.related.iter().map(|related| related.line));
        lines.extend(finding.witness.iter().map(|step| step.line));
    }
    let place = |line: u32| {
        let from = scene.compiled_from(line)?;
        Some(CompiledFrom {
            line,
            file: from.file.to_owned(),
            source_line: from.line,
            source_column: from.column,
        })
    };
    lines.iter().filter_map(|line| place(*line)).collect()
}

/// Gives help the form of diagnostics. It can be a sentence of the catalogue.
fn in_shape(finding: &mut Finding) {
    let fix = finding.fix.iter_mut().map(|fix| &mut fix.message);
    fix.chain(&mut finding.remedy).for_each(|said| *said = line(said));
    for note in finding.because.iter_mut().filter(|note| note.ends_with('.')) {
        note.pop();
    }
}
