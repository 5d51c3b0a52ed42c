//! AMDGPU scenarios: the barrier execution model and the one-bit machine.

use crate::axioms;
use crate::certificate::certified;
use crate::explain;
use crate::finding::put_together;
use crate::graph::build::of_amdgpu;
use crate::graph::{ExecutionGraph, GraphError, Pick};
use crate::judge::{self, Broken, Judgement, KeepGoing};
use crate::lints::Walks;
use crate::machine;
use crate::memory::offer;
use crate::memory::waits::{self, Judged};
use crate::participates;
use crate::replay::amdgpu::replayed;
use crate::report::{Ambiguity, Certificate, Finding, Report};
use crate::specification::{Base, Counted, Specification, Under, counted, sum_up};
use crate::step::ledger;
use crate::step::walk::{Walk, Walking};
use crate::subject::Subject;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use tidegate_model::context::Context;
use tidegate_model::onebit::Machine as Onebit;
use tidegate_model::operation::Action;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::target::{Family, Target};
use tidegate_model::verdict::Verdict;

/// The barrier execution model of AMDGPU.
pub(crate) struct Amdgpu;

impl Specification for Amdgpu {
    fn has_axioms(&self) -> bool {
        true
    }

    fn judge(&self, subject: Subject<'_>, report: &mut Report, keep_going: KeepGoing<'_>) -> Base {
        let Subject { context, options, target, .. } = subject;
        let Some(spec) = subject.spec() else {
            let verdict = Verdict::Unknown;
            return Base { verdict, settled: false, relevant: 0 };
        };
        let judgement = axioms::by_engine(&spec, options, true, keep_going);
        sum_up(&judgement, options, report);
        let breaks = judgement.broken.iter().fold(0, |set, broken| set | 1 << broken.rule.number());
        let states = judgement.states;
        let judged = Judged { subject, states, breaks };
        for broken in &judgement.broken {
            let found = tell(judged, &spec, broken, &mut report.stats.states, keep_going);
            report.findings.push(found);
        }
        let asked = options.participates_in;
        let counted = participates::is_counted(&spec, asked) && !participates::is_endless(&spec);
        let whole =
            judgement.exhaustive && target_is_amdgpu(target) && !context.program.host_chooses;
        let enumerated = (whole && counted)
            .then(|| participates::enumerate(&spec, asked, options.left_out(), keep_going));
        match enumerated.flatten() {
            Some(found) => participates::report(report, judgement.verdict, &found),
            // Counts of relations are available only from the axioms.
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
        ask_hardware(subject, report, keep_going);
        let settled = judgement.is_settled();
        let (verdict, relevant) = (judgement.verdict, judgement.relevant);
        Base { verdict, settled, relevant }
    }

    fn verdict(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Under {
        let Some(spec) = subject.spec() else {
            return Under { verdict: Verdict::Unknown, settled: false, states: 0 };
        };
        axioms::by_engine(&spec, subject.options, false, keep_going).into()
    }

    fn graph(
        &self,
        subject: Subject<'_>,
        pick: Pick,
        keep_going: KeepGoing<'_>,
    ) -> Result<ExecutionGraph, GraphError> {
        of_amdgpu(subject, pick, keep_going)
    }

    fn ledger(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Counted> {
        let spec = subject.spec()?;
        let judgement = judge::by_text(&spec, subject.options, true, keep_going);
        Some(counted(subject.scene, (spec, judgement), ledger::rows))
    }

    fn certificate(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Certificate> {
        let spec = subject.spec()?;
        certified(subject.scene, subject.context, |context| spec.of(context), keep_going)
    }

    fn walk(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>> {
        let spec = subject.spec()?;
        Some(Box::new(Walk::new(subject.scene, spec)))
    }

    fn walk_on_hardware(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>> {
        let Family::Amdgpu { .. } = subject.target.family else { return None };
        Some(Box::new(Walk::new(subject.scene, Onebit::new(Rc::clone(subject.context))?)))
    }
}

/// Runs the one-bit machine.
fn ask_hardware(subject: Subject<'_>, report: &mut Report, keep_going: KeepGoing<'_>) {
    let Subject { scene, context, options, target, .. } = subject;
    if options.machine
        && matches!(target.family, Family::Amdgpu { .. })
        && let Some((machine, states)) = machine::ask(scene, context, options, keep_going)
    {
        report.machine = Some(machine);
        report.stats.states += states;
    }
}

/// Whether the target uses the AMDGPU model.
fn target_is_amdgpu(target: &Target) -> bool {
    matches!(target.family, Family::Amdgpu { .. } | Family::Model)
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
    let walks = Walks::new(judged.subject.scene, &spec.context);
    report.findings.extend(walks.lints());
    if !walks.are_complete() {
        let limit = "lints about marks (an agent has too many paths)";
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
    let inlined = judge::by_text(&spec.inlined(), judged.subject.options, false, keep_going);
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

/// The ambiguity of a scenario that breaks a rule under some choices of phases only.
fn open_choice(every: Verdict, some: Verdict) -> Ambiguity {
    let verdicts = [("every-choice", every), ("some-choice", some)];
    let verdicts = verdicts.map(|(name, verdict)| (name.to_owned(), verdict.word().to_owned()));
    Ambiguity { id: "amd.participates-in".to_owned(), verdicts: BTreeMap::from(verdicts) }
}

/// Tells a broken rule with its witness.
fn tell(
    judged: Judged<'_>,
    spec: &Spec,
    broken: &Broken,
    states: &mut u64,
    keep_going: KeepGoing<'_>,
) -> Finding {
    let scene = judged.subject.scene;
    let replay = replayed(spec, broken);
    let told = explain::tell(scene, &replay, broken.rule);
    let (told, took) = offer::settle(judged, told, broken.rule, keep_going);
    *states += took;
    put_together(scene, &replay, broken, told)
}
