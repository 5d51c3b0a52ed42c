//! NVIDIA scenarios: PTX, SASS and TLX, by the specification and by the hardware model.

mod coming;
mod facts;
mod judge;
mod known;
pub(crate) mod ledger;
mod lints;
mod meeting;
mod parity;
mod race;
mod related;
mod remedy;
mod replay;
mod shown;
mod stuck;
mod tell;
#[cfg(test)]
mod tests;
mod threads;
mod uses;

use self::replay::Replay;
use crate::cause::Open;
use crate::certificate::certified;
use crate::finding::put_together;
use crate::graph::replayed::{Words, graph_of, perform};
use crate::graph::{ExecutionGraph, GraphError, Pick};
use crate::judge::{Broken, Judgement, KeepGoing, before_choices, by_cases, with_data};
use crate::report::{Certificate, Finding, OracleReport, Report};
use crate::scene::{Options, Scene};
use crate::specification::{Base, Counted, Specification, Under, counted, sum_up};
use crate::step::walk::{Walk, Walking};
use crate::subject::Subject;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action as Any, Operation};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Proxies;
use tidegate_model::ptx::action::{Action, Asked};
use tidegate_model::ptx::bar::count_multiple::WARP;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::object::Law;
use tidegate_model::ptx::support;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::target::{Family, Target};
use tidegate_model::verdict::Schedules;

/// Largest number of states of a changed scenario.
const MOST_TRIED: u64 = 12_000;

/// The law of the first oracle: on AMDGPU the barriers of TLX are software, which counts and has a phase bit.
pub(crate) fn law(target: &Target, readings: Readings) -> Law {
    Law { text: target.family == Family::Nvidia, hazards: true, readings }
}

/// The specification of NVIDIA: PTX, SASS and TLX.
pub(crate) struct Nvidia;

impl Specification for Nvidia {
    fn judge(&self, subject: Subject<'_>, report: &mut Report, keep_going: KeepGoing<'_>) -> Base {
        let Subject { scene, context, options, target, readings } = subject;
        let (machine, mut judgement) =
            judged(context, law(target, readings), options, true, keep_going);
        missed_everywhere(&machine, &mut judgement, options, keep_going);
        sum_up(&judgement, options, report);
        report.findings = told(scene, &machine, &judgement, target);
        report.findings.extend(lints::find(scene, context, target));
        if options.machine && target.family == Family::Nvidia {
            let law = Law { text: false, hazards: false, readings };
            let (machine, judgement) = judged(context, law, options, true, keep_going);
            report.stats.states += judgement.states;
            report.machine = Some(OracleReport {
                verdict: judgement.verdict.word().to_owned(),
                exhaustive: judgement.exhaustive,
                findings: told(scene, &machine, &judgement, target),
            });
        }
        let settled = judgement.is_settled();
        Base { verdict: judgement.verdict, settled, relevant: u32::MAX }
    }

    fn verdict(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Under {
        let Subject { context, options, target, readings, .. } = subject;
        let (_, judgement) = judged(context, law(target, readings), options, false, keep_going);
        judgement.into()
    }

    fn graph(
        &self,
        subject: Subject<'_>,
        pick: Pick,
        keep_going: KeepGoing<'_>,
    ) -> Result<ExecutionGraph, GraphError> {
        let Subject { scene, context, options, target, readings } = subject;
        if support::is_mixed(context) {
            return Err(GraphError::NoRelations);
        }
        let law = law(target, readings);
        let (machine, judgement) = judged(context, law, options, true, keep_going);
        let broken: Vec<Option<&Broken>> = judgement.broken.iter().map(Some).collect();
        let (replay, rule) = perform(machine, &broken, pick)?;
        related(scene, &replay, rule, (true, pick.memory)).ok_or(GraphError::TooLarge)
    }

    fn ledger(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Counted> {
        let Subject { scene, context, options, target, readings } = subject;
        let judged = judged(context, law(target, readings), options, true, keep_going);
        Some(counted(scene, judged, ledger::rows))
    }

    fn certificate(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Certificate> {
        let Subject { scene, context, target, readings, .. } = subject;
        let machine =
            |context: &Rc<Context>| Machine::new(Rc::clone(context), law(target, readings));
        certified(scene, context, machine, keep_going)
    }

    fn walk(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>> {
        let law = law(subject.target, subject.readings);
        Some(Box::new(Walk::new(subject.scene, Machine::new(Rc::clone(subject.context), law))))
    }

    /// Hardware that waits by parity; AMDGPU has none.
    fn walk_on_hardware(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>> {
        let law = Law { text: false, hazards: false, readings: subject.readings };
        let machine = || Machine::new(Rc::clone(subject.context), law);
        (subject.target.family == Family::Nvidia)
            .then(|| Box::new(Walk::new(subject.scene, machine())) as Box<dyn Walking>)
    }
}

/// Determines whether an init that a use does not wait for is missing in every schedule, by a search that tracks the
/// knowledge of agents. A schedule in which the use happens to come later does not order the two.
fn missed_everywhere(
    machine: &Machine,
    judgement: &mut Judgement,
    options: &Options,
    keep_going: KeepGoing<'_>,
) {
    const MISSED: [RuleId; 2] = [RuleId::PtxMbarrierValidObject, RuleId::PtxMbarrierInitVisibility];
    let is_open = |one: &Broken| MISSED.contains(&one.rule) && one.schedules == Schedules::Some;
    if machine.has_knowledge() || !judgement.broken.iter().any(is_open) {
        return;
    }
    let mut other = Machine::with_knowledge(Rc::clone(&machine.context), machine.law);
    let options = Options { max_states: Some(MOST_TRIED), ..options.clone() };
    let known = judge::judge(&mut other, &options, true, keep_going);
    for one in judgement.broken.iter_mut().filter(|one| is_open(one)) {
        let met = known.broken.iter().find(|it| it.rule == one.rule);
        if let Some(met) = met.filter(|_| known.is_settled()) {
            one.schedules = met.schedules;
        }
    }
}

/// The relations of an execution on its barriers, and on memory if requested; `None` if barriers of another document
/// are ignored.
fn related(
    scene: &Scene,
    replay: &Replay,
    rule: Option<RuleId>,
    (whole, memory): (bool, bool),
) -> Option<ExecutionGraph> {
    if support::is_mixed(&replay.machine.context) {
        return None;
    }
    let events = (Words::Nvidia, related::events(scene, replay, rule, memory));
    graph_of(scene, replay, events, rule, whole)
}

/// Judges a program under a law.
pub(crate) fn judged(
    context: &Rc<Context>,
    law: Law,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> (Machine, Judgement) {
    let mut machine = Machine::new(Rc::clone(context), law);
    let mut judgement = with_data(context, |context| {
        by_cases(context, options, |context, options| {
            let mut one = match Rc::ptr_eq(context, &machine.context) {
                true => machine.clone(),
                false => Machine::new(Rc::clone(context), law),
            };
            let only_loads = one.only_loads_remotely();
            let guesses = context.program.guesses;
            let several_tokens = context.operations().any(|(.., operation)| waits_again(operation));
            let witnesses = witnesses || only_loads || guesses || several_tokens;
            let mut judgement = judge::judge(&mut one, options, witnesses, keep_going);
            let exited = RuleId::PtxClusterExitedCta;
            if only_loads && judgement.broken.iter().any(|one| one.rule == exited) {
                judgement.make_possible(exited);
            }
            if guesses {
                judgement.leave_to_data(&one);
            }
            if several_tokens {
                judgement.leave_at(&one, waits_again);
            }
            // Waits that see several phases with one choice of the host are found where all choices are replayed, too.
            let known = Rc::make_mut(&mut machine.aliases);
            for (&wait, &first) in one.aliases.iter() {
                let first = known.get(&wait).map_or(first, |&other| first.min(other));
                known.insert(wait, first);
            }
            judgement
        })
    });
    // The AMDGPU operations are ignored here, so the search is incomplete.
    if support::is_mixed(context) {
        judgement.leave_open(Open::AmdgpuInNvidia);
    }
    judgement.limit_to(&context.program);
    if let Some(before) = before_choices(context) {
        judgement.take_races(by_cases(&before, options, |context, options| {
            let mut machine = Machine::new(Rc::clone(context), law);
            judge::judge(&mut machine, options, true, keep_going)
        }));
    }
    judgement.limit_to_size(&context.program);
    if context.program.lanes_meet {
        judgement.leave_open(Open::Threads);
    }
    if context.program.proxies == Proxies::Unfenced {
        judgement.leave_open(Open::Proxies);
    }
    let assumed = |action| match action {
        Any::Ptx(Action::Copy { name: Some(_), tile: Some(tile), .. }, _) => {
            tile.open && tile.bytes == 0
        }
        _ => false,
    };
    if context.operations().any(|(_, _, operation)| assumed(operation.action)) {
        judgement.leave_open(Open::TensorSize);
    }
    (machine, judgement)
}

/// Whether threads of a warp wait here for the token of another arrival than the threads before. Only if the two have one phase
/// is the warp one agent.
fn waits_again(operation: &Operation) -> bool {
    let asks = |action| matches!(action, Any::Ptx(Action::Wait { asked: Asked::Token(_), .. }, _));
    operation.possible && asks(operation.action)
}

/// The findings of the broken rules.
fn told(
    scene: &Scene,
    machine: &Machine,
    judgement: &Judgement,
    target: &'static Target,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for broken in &judgement.broken {
        let mut replay = Replay::new(machine.clone());
        replay.perform_all(&broken.path);
        let told = tell::tell(scene, &replay, broken.rule, target);
        findings.push(put_together(scene, &replay, broken, told));
    }
    findings
}

/// Whether the program has an operation whose meaning a reading of `ptx` decides.
pub(crate) fn matters(context: &Context, id: ReadingId) -> bool {
    let any = |test: &dyn Fn(Action) -> bool| {
        context.operations().any(
            |(_, _, operation)| matches!(operation.action, Any::Ptx(action, _) if test(action)),
        )
    };
    match id {
        ReadingId::PtxVersion => {
            any(&|action| matches!(action, Action::Arrive { form, .. } if form.drop))
        }
        ReadingId::PtxMissingWait => {
            any(&|action| matches!(action, Action::Arrive { .. } | Action::CopyArrive { .. }))
        }
        ReadingId::PtxExitCounted => {
            let all = i64::from(context.program.launch.waves) * WARP;
            any(&|action| matches!(action, Action::Bar { threads: Some(it), .. } if it != all))
                && Machine::ends_complete(&context.program)
        }
        ReadingId::PtxLateExpect => any(&|action| matches!(action, Action::Expect { .. })),
        ReadingId::PtxAlignedSite => {
            let sites =
                context.operations().filter_map(|(_, _, operation)| match operation.action {
                    Any::Ptx(Action::Bar { id, aligned: true, site, .. }, _) => Some((id, site)),
                    _ => None,
                });
            let sites: OrderedSet<(i64, u32)> = sites.collect();
            sites.iter().zip(sites.iter().skip(1)).any(|(one, other)| one.0 == other.0)
        }
        _ => false,
    }
}
