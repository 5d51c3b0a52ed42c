//! From a scenario to its report.

use crate::ambiguity::{self, Base};
use crate::axioms;
use crate::compiler;
use crate::explain::{self, Told};
use crate::finding::{finding, put_together};
use crate::judge::{self, Broken, Judgement, KeepGoing};
use crate::lints::Walks;
use crate::machine;
use crate::memory::offer;
use crate::memory::waits::{self, Judged};
use crate::mend;
use crate::nvidia;
use crate::opencl;
use crate::participates;
use crate::replay::amdgpu::Replay;
use crate::report::{Ambiguity, Finding, Report, SCHEMA, Stats};
use crate::scene::{Engine, Options, Scene};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;
use tidegate_model::reading::{READINGS, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::support::{self, Lacking};
use tidegate_model::target::{Family, Target};
use tidegate_model::verdict::{Schedules, Verdict};

/// Judges a scenario on one target. `keep_going` is asked now and then with the progress so far; `false` cancels, and the
/// report then says that it is not exhaustive.
pub fn check(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Report {
    let mut report = judged(scene, options, keep_going);
    if options.ambiguities && scene.restricted().is_empty() {
        mend::offer(scene, options, &mut report, keep_going);
    }
    report
}

/// The same without changes that would mend it.
pub(crate) fn judged(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Report {
    let target = options.target_of(scene).get();
    let engine = if options.left_out() == 0 { options.engine } else { Engine::Axioms };
    let mut report = empty(scene, target, engine);
    let Some(context) = scene.context() else { return report };
    let readings = options.readings_of(scene);
    report.readings = chosen(readings);
    let lacking = support::lacking(&context, target, readings);
    let of_opencl = opencl::is_judged_here(&context, target);
    if options.machine && matches!(target.family, Family::Amdgpu { .. }) && !of_opencl {
        report.compiler = Some(compiler::ask(scene, &context, options.target_of(scene), &lacking));
    }
    let of_nvidia = nvidia::is_judged_here(&context, target);
    if of_opencl || of_nvidia {
        // There are no axioms of these.
        "explore".clone_into(&mut report.engine);
    }
    let base = if lacking.is_empty() && of_opencl {
        opencl::judge(scene, &context, options, target, readings, &mut report, keep_going)
    } else if lacking.is_empty() && of_nvidia {
        nvidia::judge(scene, &context, options, target, readings, &mut report, keep_going)
    } else if lacking.is_empty() {
        let base = explore(scene, &context, options, target, readings, &mut report, keep_going);
        if options.machine
            && matches!(target.family, Family::Amdgpu { .. })
            && let Some((machine, states)) = machine::ask(scene, &context, options, keep_going)
        {
            report.machine = Some(machine);
            report.stats.states += states;
        }
        base
    } else {
        report.exhaustive = true;
        report.findings = unsupported(scene, &context, &lacking, (target, readings));
        let verdict = Verdict::Unsupported;
        Base { target, readings, verdict, settled: true, relevant: u32::MAX }
    };
    report.verdict = base.verdict.word().to_owned();
    if options.ambiguities && scene.restricted().is_empty() {
        let found = ambiguity::find(&context, base, options, keep_going);
        report.ambiguities.extend(found.ambiguities);
        report.limits.extend(found.limits);
        report.stats.states += found.states;
    }
    report
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

/// Whether the target speaks of the AMDGPU model.
fn target_is_amdgpu(target: &Target) -> bool {
    matches!(target.family, Family::Amdgpu { .. } | Family::Model)
}

/// A report on which nothing has been found yet; it stays so for a text that cannot be judged.
fn empty(scene: &Scene, target: &Target, engine: Engine) -> Report {
    let engine = if engine == Engine::Axioms { "axioms" } else { "explore" };
    Report {
        stuck_everywhere: false,
        schema: SCHEMA.to_owned(),
        file: scene.file().to_owned(),
        title: scene.title().to_owned(),
        target: target.name.to_owned(),
        verdict: "invalid".to_owned(),
        exhaustive: false,
        bound: None,
        engine: engine.to_owned(),
        findings: Vec::new(),
        machine: None,
        compiler: None,
        readings: BTreeMap::new(),
        ambiguities: Vec::new(),
        participates_in: None,
        outside_interleavings: None,
        limits: Vec::new(),
        stats: Stats::default(),
        diagnostics: scene.diagnostics(),
    }
}

fn explore(
    scene: &Scene,
    context: &Rc<Context>,
    options: &Options,
    target: &'static Target,
    readings: Readings,
    report: &mut Report,
    keep_going: KeepGoing<'_>,
) -> Base {
    let Some(spec) = judge::spec(context, readings, target) else {
        let verdict = Verdict::Unknown;
        return Base { target, readings, verdict, settled: false, relevant: 0 };
    };
    let judgement = axioms::by_engine(&spec, options, true, keep_going);
    judgement.sum_up(options, report);
    let breaks = judgement.broken.iter().fold(0, |set, broken| set | 1 << broken.rule.number());
    let states = judgement.states;
    let judged = Judged { scene, context, options, target, readings, states, breaks };
    for broken in &judgement.broken {
        let found = tell(judged, &spec, broken, &mut report.stats.states, keep_going);
        report.findings.push(found);
    }
    let asked = options.participates_in;
    let counted = participates::is_counted(&spec, asked) && !participates::is_endless(&spec);
    let whole = judgement.exhaustive && target_is_amdgpu(target);
    let enumerated = (whole && counted)
        .then(|| participates::enumerate(&spec, asked, options.left_out(), keep_going));
    match enumerated.flatten() {
        Some(found) => participates::report(report, judgement.verdict, &found),
        // Asked for the axioms, one asks for what only they have.
        None if whole && (counted || report.engine == "axioms") => {
            report.limits.push(participates::NOT_ENUMERATED.to_owned());
        }
        None => {}
    }
    if judgement.verdict_somewhere != judgement.verdict {
        report.ambiguities.push(open_choice(judgement.verdict, judgement.verdict_somewhere));
    }
    if asynchronous(context) {
        marks(judged, &spec, &judgement, report, keep_going);
    }
    let settled = judgement.is_settled();
    let (verdict, relevant) = (judgement.verdict, judgement.relevant);
    Base { target, readings, verdict, settled, relevant }
}

/// Whether the program copies asynchronously, marks, or waits for marks.
fn asynchronous(context: &Context) -> bool {
    context.operations().any(|(_, _, operation)| matches!(operation.action, Action::Memory(memory) if memory.is_asynchronous()))
}

/// Adds the lints about async marks, and what inlining calls would change.
fn marks(
    judged: Judged<'_>,
    spec: &Spec,
    judgement: &Judgement,
    report: &mut Report,
    keep_going: KeepGoing<'_>,
) {
    let walks = Walks::new(judged.scene, &spec.context);
    report.findings.extend(walks.lints());
    if !walks.are_complete() {
        let limit =
            "Lints about marks were not looked for: an agent has more paths than are walked.";
        report.limits.push(limit.to_owned());
    }
    if judgement.verdict.min(judgement.verdict_somewhere) == Verdict::Ok {
        let strict = waits::strict(judged, &walks, keep_going);
        report.findings.extend(strict.found);
        report.limits.extend(strict.limit);
        report.stats.states += strict.states;
    }
    if !walks.depends_on_inlining() {
        return;
    }
    let inlined = judge::by_text(&spec.inlined(), judged.options, false, keep_going);
    report.stats.states += inlined.states;
    let (written, inlined) = (judgement.verdict, inlined.verdict);
    report.findings.extend(walks.callee(written, inlined));
    if inlined != written {
        let verdicts = [("as-written", written), ("inlined", inlined)];
        let verdicts = verdicts.map(|(name, verdict)| (name.to_owned(), verdict.word().to_owned()));
        let id = RuleId::AsyncCalleeUnspecified.get().id.to_owned();
        report.ambiguities.push(Ambiguity { id, verdicts: BTreeMap::from(verdicts) });
    }
}

/// The ambiguity of a scenario that breaks a rule under some choice of phases and not under every one.
fn open_choice(every: Verdict, some: Verdict) -> Ambiguity {
    let verdicts = [("every-choice", every), ("some-choice", some)];
    let verdicts = verdicts.map(|(name, verdict)| (name.to_owned(), verdict.word().to_owned()));
    Ambiguity { id: "amd.participates-in".to_owned(), verdicts: BTreeMap::from(verdicts) }
}

/// The witness of a broken rule, performed up to the step that breaks it.
pub(crate) fn replayed(spec: &Spec, broken: &Broken) -> Replay {
    let mut replay = Replay::new(spec.clone());
    for &step in &broken.path {
        // What comes behind the step that breaks the rule has nothing to do with it.
        let known = replay.done.last().is_some_and(|done| done.broke.contains(&broken.rule));
        if known || !replay.perform(step) {
            break;
        }
    }
    replay
}

/// Tells a broken rule with its witness.
fn tell(
    judged: Judged<'_>,
    spec: &Spec,
    broken: &Broken,
    states: &mut u64,
    keep_going: KeepGoing<'_>,
) -> Finding {
    let scene = judged.scene;
    let replay = replayed(spec, broken);
    let told = explain::tell(scene, &replay, broken.rule);
    let (told, took) = offer::settle(judged, told, broken.rule, keep_going);
    *states += took;
    put_together(scene, &replay, broken, told)
}

/// One finding for each rule by which the target lacks something, at the first such place.
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
    let message = operation.map(|operation| {
        explain::lacking(scene, operation.action, lack.agent, lack.node, lack.rule, target.name)
    });
    let having = operation.and_then(|operation| support::having(operation, target, readings));
    let joins = matches!(
        operation.map(|operation| operation.action),
        Some(Action::Join { object: Object::Workgroup | Object::Cluster })
    );
    let otherwise =
        joins.then(|| "Delete the join: a wave takes part in this barrier without one.".to_owned());
    let told = Told {
        message: message.unwrap_or_default(),
        agent: Some(lack.agent),
        node: Some(lack.node),
        remedy: having.map(|those| format!("Choose a target that has it: {those}.")).or(otherwise),
        ..Told::default()
    };
    finding(scene, lack.rule, Schedules::All, told)
}
