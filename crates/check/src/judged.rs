//! The report on a scenario before edits that fix its findings.

use crate::ambiguity;
use crate::cause::{Cause, Common, Finding as Found};
use crate::choice::specification_of;
use crate::compiler;
use crate::explain;
use crate::finding::finding;
use crate::judge::KeepGoing;
use crate::report::{Finding, IDLE, Report};
use crate::scene::{Engine, Options, Scene};
use crate::specification::Base;
use crate::subject::Subject;
use crate::tell::help;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;
use tidegate_model::reading::{READINGS, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::support::{self, Lacking};
use tidegate_model::target::{Family, Target};
use tidegate_model::verdict::{Schedules, Verdict};

/// Judges a scenario on one target.
pub(crate) fn judged(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Report {
    let engine = if options.left_out() == 0 { options.engine } else { Engine::Axioms };
    let target = options.target_of(scene).get();
    let mut report = empty(scene, target, engine);
    let Some(context) = scene.context() else {
        if let Some(limit) = scene.exceeds() {
            Verdict::Unknown.word().clone_into(&mut report.verdict);
            report.bound = Some(limit.to_owned());
            report
                .diagnostics
                .iter_mut()
                .for_each(|found| "warning".clone_into(&mut found.severity));
        }
        return report;
    };
    let subject = Subject::new(scene, &context, options);
    let (specification, readings) = (specification_of(subject), subject.readings);
    report.readings = chosen(readings);
    let lacking = support::lacking(&context, target, readings);
    let is_amdgpu = matches!(target.family, Family::Amdgpu { .. });
    if options.machine && is_amdgpu && specification.is_compiled_for_amdgpu() {
        report.compiler = Some(compiler::ask(scene, &context, options.target_of(scene), &lacking));
    }
    if engine == Engine::Axioms && !specification.has_axioms() {
        "explore".clone_into(&mut report.engine);
    }
    let base = if lacking.is_empty() {
        specification.judge(subject, &mut report, keep_going)
    } else {
        report.exhaustive = true;
        report.findings = unsupported(scene, &context, &lacking, (target, readings));
        let verdict = Verdict::Unsupported;
        Base { verdict, settled: true, relevant: u32::MAX }
    };
    report.verdict = base.verdict.word().to_owned();
    report.limits.extend(idle(&context).filter(|_| base.verdict == Verdict::Ok));
    if options.ambiguities && scene.restricted().is_empty() {
        let found = ambiguity::find(subject, base, keep_going);
        report.ambiguities.extend(found.ambiguities);
        report.limits.extend(found.limits);
        report.stats.states += found.states;
    }
    report
}

/// The note on a program without synchronisation and shared accesses.
fn idle(context: &Context) -> Option<String> {
    let acts = |action| !matches!(action, Action::Memory(Memory::Enter | Memory::Leave));
    let mut operations = context.operations();
    (!operations.any(|(_, _, operation)| acts(operation.action))).then(|| IDLE.to_owned())
}

/// The readings that are not at their default.
fn chosen(readings: Readings) -> BTreeMap<String, String> {
    let other = READINGS.iter().filter(|reading| !readings.is_default(reading.id));
    let choice = |id| usize::from(readings.chosen(id));
    other
        .map(|reading| {
            (reading.name.to_owned(), reading.choices[choice(reading.id)].name.to_owned())
        })
        .collect()
}

/// A report without findings; it is the result for an invalid text.
fn empty(scene: &Scene, target: &Target, engine: Engine) -> Report {
    let engine = match engine {
        Engine::Axioms => "axioms",
        Engine::Plain => "plain",
        Engine::Auto | Engine::Explore => "explore",
    };
    Report {
        title: scene.title().to_owned(),
        target: target.name.to_owned(),
        engine: engine.to_owned(),
        ..Report::invalid(scene.file(), scene.diagnostics())
    }
}

/// One finding for each rule that the target breaks, at its first position.
fn unsupported(
    scene: &Scene,
    context: &Context,
    lacking: &[Lacking],
    (target, readings): (&Target, Readings),
) -> Vec<Finding> {
    let rules: OrderedSet<RuleId> = lacking.iter().map(|lack| lack.rule).collect();
    let first = |rule: RuleId| lacking.iter().find(|lack| lack.rule == rule);
    rules
        .into_iter()
        .filter_map(first)
        .map(|lack| lack_finding(scene, context, lack, (target, readings)))
        .collect()
}

fn lack_finding(
    scene: &Scene,
    context: &Context,
    lack: &Lacking,
    (target, readings): (&Target, Readings),
) -> Finding {
    let operation = match &context.program.body_of(lack.agent).nodes[lack.node as usize] {
        Node::Operation { operation, .. } => Some(*operation),
        _ => None,
    };
    let at = (lack.agent, lack.node);
    let having =
        operation.map_or_else(Vec::new, |operation| support::having(operation, target, readings));
    let cause = operation.map_or_else(
        || Cause::from(Common::Rule { operation: Some(at), rule: lack.rule }),
        |operation| explain::lacking(operation.action, at, lack.rule, (target.name, &having)),
    );
    let joins = matches!(
        operation.map(|operation| operation.action),
        Some(Action::Join { object: Object::Workgroup | Object::Cluster })
    );
    let help = support::named(&having)
        .map(|those| help::amd::other_target(&those))
        .or_else(|| joins.then(help::amd::remove_join));
    let found = Found::new(cause, Vec::new(), Some(at)).with_help(help);
    finding(scene, lack.rule, Schedules::All, found)
}
