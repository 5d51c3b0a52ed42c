//! Scenarios of OpenCL C++.

mod judge;
mod known;
pub(crate) mod ledger;
mod lints;
mod object;
mod related;
mod remedy;
mod replay;
mod shown;
mod tell;
#[cfg(test)]
mod tests;

use self::replay::Replay;
use crate::cause::{Finding as Found, Open, Opencl as Cause};
use crate::certificate::certified;
use crate::finding::{finding, with_witness};
use crate::graph::replayed::{Words, graph_of, perform};
use crate::graph::{ExecutionGraph, GraphError, Pick};
use crate::judge::{Broken, Judgement, KeepGoing, by_cases, is_settled, with_data};
use crate::report::{Certificate, Finding, Report};
use crate::scene::{Options, Scene};
use crate::specification::{Base, Counted, Specification, Under, counted, sum_up};
use crate::step::walk::{Walk, Walking};
use crate::subject::Subject;
use crate::tell::names::list;
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::support;
use tidegate_model::operation::Action as Any;
use tidegate_model::program::{NO_CASE, Part};
use tidegate_model::reading::Readings;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Schedules, Verdict};

/// The specification of OpenCL C++.
pub(crate) struct Opencl;

impl Specification for Opencl {
    fn is_compiled_for_amdgpu(&self) -> bool {
        false
    }

    fn judge(&self, subject: Subject<'_>, report: &mut Report, keep_going: KeepGoing<'_>) -> Base {
        let Subject { scene, context, options, readings, .. } = subject;
        report.findings = restricted(scene);
        let mut verdict = Verdict::Ok;
        report.exhaustive = true;
        report.represented.extend(context.program.part.as_ref().and_then(stand_for));
        // If the named barrier type is misused, there is no program to run.
        if !scene.restricted().iter().any(|found| found.rule == RuleId::OpenclNamedType) {
            let (machine, judgement) = judged(context, options, readings, true, keep_going);
            verdict = judgement.verdict;
            sum_up(&judgement, options, report);
            let told = judgement
                .broken
                .iter()
                .map(|broken| with_witness(scene, &machine, broken, tell::tell));
            report.findings.extend(told);
        }
        report
            .findings
            .sort_by_key(|found| RuleId::from_name(&found.rule).map(|rule| rule.get().class));
        report.findings.extend(lints::limit(scene, context));
        if !scene.restricted().is_empty() {
            verdict = verdict.min(Verdict::Violation);
        }
        let settled = is_settled(verdict, report.exhaustive);
        Base { verdict, settled, relevant: u32::MAX }
    }

    fn verdict(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Under {
        let Subject { context, options, readings, .. } = subject;
        let (_, judgement) = judged(context, options, readings, false, keep_going);
        judgement.into()
    }

    fn graph(
        &self,
        subject: Subject<'_>,
        pick: Pick,
        keep_going: KeepGoing<'_>,
    ) -> Result<ExecutionGraph, GraphError> {
        let Subject { scene, context, options, readings, .. } = subject;
        if support::is_mixed(context) {
            return Err(GraphError::NoRelations);
        }
        let (machine, judgement) = judged(context, options, readings, true, keep_going);
        // Findings are in the order of their classes; those on types have no execution.
        let restricted =
            restricted(scene).into_iter().map(|found| (RuleId::from_name(&found.rule), None));
        let broken = judgement.broken.iter().map(|one| (Some(one.rule), Some(one)));
        let mut found: Vec<(Option<RuleId>, Option<&Broken>)> = restricted.chain(broken).collect();
        found.sort_by_key(|(rule, _)| rule.map(|rule| rule.get().class));
        let found: Vec<Option<&Broken>> = found.into_iter().map(|(_, broken)| broken).collect();
        let (replay, rule) = perform(machine, &found, pick)?;
        related(scene, &replay, rule, (true, pick.memory)).ok_or(GraphError::TooLarge)
    }

    fn ledger(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Counted> {
        let Subject { scene, context, options, readings, .. } = subject;
        if !scene.restricted().is_empty() {
            return None;
        }
        let judged = judged(context, options, readings, true, keep_going);
        Some(counted(scene, judged, ledger::rows))
    }

    fn certificate(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Certificate> {
        let Subject { scene, context, readings, .. } = subject;
        let machine = |context: &Rc<Context>| Machine::new(Rc::clone(context), readings);
        certified(scene, context, machine, keep_going)
    }

    fn walk(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>> {
        let machine = Machine::new(Rc::clone(subject.context), subject.readings);
        Some(Box::new(Walk::new(subject.scene, machine)))
    }

    fn walk_on_hardware(&self, _: Subject<'_>) -> Option<Box<dyn Walking>> {
        None
    }
}

/// Names the checked work-groups if they represent others.
fn stand_for(part: &Part) -> Option<String> {
    let (judged, all) = (part.groups.len(), part.all as usize);
    let names: Vec<String> = part.groups.iter().map(u32::to_string).collect();
    let (who, verb) = match judged {
        1 => ("work-group", "represents"),
        _ => ("work-groups", "represent"),
    };
    let like = if judged == 1 { "it" } else { "one of them" };
    let names = list(&names);
    let said = format!("{who} {names} {verb} all {all} work-groups: the others behave like {like}");
    (judged < all).then_some(said)
}

/// The violations of the restrictions on the named barrier type, each rule at its first position.
fn restricted(scene: &Scene) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for found in scene.restricted() {
        let cause = Cause::Restricted { description: found.message.clone() };
        let made = Found::new(cause, Vec::new(), None);
        let made = finding(scene, found.rule, Schedules::All, made);
        let place = (Some(found.span.line), Some(found.span.column));
        findings.push(Finding { line: place.0, column: place.1, ..made });
    }
    findings
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
    let events = (Words::Opencl, related::events(scene, replay, rule, memory));
    graph_of(scene, replay, events, rule, whole)
}

/// Judges a program. If the number of work-groups is assumed, a finding that one work-group does not have is possible only.
pub(crate) fn judged(
    context: &Rc<Context>,
    options: &Options,
    readings: Readings,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> (Machine, Judgement) {
    let (machine, mut judgement) = judged_launch(context, options, readings, witnesses, keep_going);
    if context.program.groups_assumed && judgement.broken.iter().any(|one| !one.possible) {
        let first = Rc::new(Context::new(Rc::new(context.program.first_group())));
        let (_, certain) = judged_launch(&first, options, readings, witnesses, keep_going);
        let rules = certain.broken.iter().filter(|one| !one.possible);
        let rules: Vec<RuleId> = rules.map(|one| one.rule).collect();
        let needs_more = judgement.broken.iter().any(|one| !rules.contains(&one.rule));
        judgement.settle(certain);
        if needs_more {
            judgement.leave_open(Open::Groups);
        }
    }
    (machine, judgement)
}

/// Judges a program whose launch is as given.
fn judged_launch(
    context: &Rc<Context>,
    options: &Options,
    readings: Readings,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> (Machine, Judgement) {
    let machine = |context: &Rc<Context>| Machine::new(Rc::clone(context), readings);
    // If data decide, the path to a race shows whether it depends on them.
    let witnesses = witnesses || !context.program.by_data.is_empty() || context.program.guesses;
    let mut judgement = with_data(context, |context| {
        by_cases(context, options, |context, options| {
            let machine = machine(context);
            let mut judgement = judge::judge(&machine, options, witnesses, keep_going);
            if context.program.guesses {
                judgement.leave_to_data(&machine);
            }
            judgement
        })
    });
    if judgement.broken.iter().any(|one| one.rule == RuleId::MemRace && !one.possible)
        && !context.program.by_data.is_empty()
        && !races_for_all_data(context, &judgement, &machine, options, keep_going)
    {
        judgement.make_possible(RuleId::MemRace);
    }
    // Barriers of other models are ignored here, so the search is incomplete.
    if support::is_mixed(context) {
        judgement.leave_open(Open::OthersInOpencl);
    }
    if context.program.doubtful {
        judgement.doubt(Open::Data);
        // Operations before the first condition on data are certain.
        let beginning = Rc::new(context.beginning());
        let certain = judge::judge(&machine(&beginning), options, witnesses, keep_going);
        if certain.verdict == Verdict::Race {
            judgement.settle(certain);
        }
    }
    if context.program.host_passes_more {
        judgement.leave_open(Open::Host);
    }
    (machine(context), judgement)
}

/// Whether the race of a judgement does not depend on data: for some values of the arguments it happens whatever memory holds.
fn races_for_all_data(
    context: &Rc<Context>,
    judgement: &Judgement,
    machine: &dyn Fn(&Rc<Context>) -> Machine,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> bool {
    let mut races = |program| {
        let context = Rc::new(Context::new(Rc::new(program)));
        let judged = with_data(&context, |context| {
            judge::judge(&machine(context), options, false, keep_going)
        });
        judged.broken.iter().any(|one| one.rule == RuleId::MemRace && !one.possible)
    };
    let race = judgement.broken.iter().find(|one| one.rule == RuleId::MemRace);
    let way = race.and_then(|race| race.path.first()).map_or(0, |step| step.way as u32);
    let groups = context.program.by_data.iter().filter(|ways| ways.contains(&way));
    let mut groups = groups.peekable();
    // If the arguments leave no choice to data, the case does not depend on data.
    groups.peek().is_none()
        || groups.any(|ways| {
            ways.iter().all(|&way| way != NO_CASE && races(context.program.chosen(way)))
        })
}

/// Whether more sub-groups may reach a named barrier than its count.
pub(crate) fn matters(context: &Context) -> bool {
    let launch = context.program.launch;
    context.operations().any(|(_, _, operation)| {
        matches!(operation.action, Any::Opencl(Action::Construct { count, .. }) if count < launch.waves)
    })
}
