//! One oracle's judgement of one program: which rules are broken, in which schedules, and on which paths.

use crate::scene::Options;
use crate::systems::{MachineSystem, OVERFLOW, SpecSystem, fact, fact_somewhere, parts};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;
use tidegate_explore::{Bounds, End, Facts, Found, Plan, System, search};
use tidegate_model::context::Context;
use tidegate_model::onebit::Machine;
use tidegate_model::reading::Readings;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::target::Target;
use tidegate_model::verdict::{Class, Schedules, Verdict};

/// How far a check is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored by the search that is running.
    pub states: u64,
    /// States that it has yet to expand.
    pub frontier: u64,
}

/// Asked now and then; `false` cancels.
pub type KeepGoing<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// One step of a path: an agent of the program and which of its ways it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The agent.
    pub agent: usize,
    /// The alternative of a `choose`, else 0.
    pub way: usize,
}

/// A broken rule.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Which.
    pub rule: RuleId,
    /// In which schedules.
    pub schedules: Schedules,
    /// The steps that lead to it.
    pub path: Vec<Step>,
    /// Whether no shorter path exists.
    pub shortest: bool,
}

/// What an oracle says.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict if a rule that is broken under some choice of phases counted.
    pub verdict_somewhere: Verdict,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// Why not, where that is known.
    pub bound: Option<&'static str>,
    /// Broken rules, worst first.
    pub broken: Vec<Broken>,
    /// States visited.
    pub states: u64,
    /// Terminal states: maximal executions told apart.
    pub executions: u64,
    /// Readings whose other answer could have mattered, one bit each, as far as the search tells.
    pub relevant: u32,
}

/// Most states of a search unless the caller says otherwise.
const DEFAULT_STATES: u64 = 1_000_000;
/// Most states times agents unless the caller says otherwise.
const AGENT_STATES: u64 = 20_000_000;
/// Most bytes of a search, for each state that it may store: few states are larger, and those that are take longer, too.
const BYTES_PER_STATE: u64 = 64;
/// Most states of the second search, for a shorter witness.
pub(crate) const WITNESS_STATES: u64 = 20_000;
/// Most bytes of its states.
pub(crate) const WITNESS_BYTES: u64 = 8 << 20;

/// The judgement of the text.
pub(crate) fn by_text(
    spec: &Spec,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let system = SpecSystem { spec, relevant: Cell::new(0) };
    // Nothing is worse than undefined behaviour: where only the verdict is asked for, the first ends the search.
    let until_any = if witnesses { Facts::default() } else { Facts(u128::from(undefined())) };
    let options = &bounded(options, &spec.context);
    let found = run(&system, options, until_any, keep_going);
    let always = if witnesses { always(&system, &found, keep_going) } else { found.always };
    let mut judgement = judge(&found, always);
    judgement.relevant = system.relevant.get();
    if witnesses {
        let shorter = shorter(&system, &found, keep_going);
        for broken in &mut judgement.broken {
            let bit = fact(broken.rule);
            let nearest = shorter.as_ref().and_then(|other| other.path(bit));
            // Reductions keep every terminal state at its distance, so a path to one is shortest already.
            broken.shortest = broken.rule == RuleId::AmdWaitNeverCompletes
                || shorter.as_ref().is_some_and(|other| is_shortest(other, bit));
            let path = nearest.or_else(|| found.path(bit)).unwrap_or_default();
            broken.path = concrete_by_text(spec, &path);
        }
    }
    if spec.context.program.lanes_meet {
        judgement.leave_open("accesses of the lanes of a wave against each other are not judged");
    }
    judgement
}

impl Judgement {
    /// Something was not judged: what would be `ok` without it is not known.
    pub(crate) fn leave_open(&mut self, what: &'static str) {
        self.exhaustive = false;
        self.bound = self.bound.or(Some(what));
        for verdict in [&mut self.verdict, &mut self.verdict_somewhere] {
            *verdict = (*verdict).min(Verdict::Unknown);
        }
    }
}

/// The judgement of the one-bit machine; `None` where it does not have what the program uses.
pub(crate) fn by_machine(
    context: &Rc<Context>,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<(Machine, Judgement)> {
    let machine = Machine::new(Rc::clone(context))?;
    let options = &bounded(options, context);
    let found = run(&MachineSystem(&machine), options, Facts::default(), keep_going);
    let mut judgement = judge(&found, found.always);
    for broken in &mut judgement.broken {
        let path = found.path(fact(broken.rule)).unwrap_or_default();
        broken.path = concrete_by_machine(&machine, &path);
        broken.shortest = broken.rule == RuleId::AmdMachineNeverCompletes;
    }
    Some((machine, judgement))
}

/// The options with a bound on states where the caller gives none: each state takes time for each agent.
fn bounded(options: &Options, context: &Context) -> Options {
    let agents = context.program.agents.len().max(1) as u64;
    let states = (AGENT_STATES / agents).clamp(1_000, DEFAULT_STATES);
    Options { max_states: options.max_states.or(Some(states)), ..options.clone() }
}

pub(crate) fn run<S: System>(
    system: &S,
    options: &Options,
    until_any: Facts,
    keep_going: KeepGoing<'_>,
) -> Found {
    let states = options.max_states.unwrap_or(DEFAULT_STATES);
    let bounds = Bounds {
        states,
        bytes: states.saturating_mul(BYTES_PER_STATE).max(1 << 20),
        ..Bounds::default()
    };
    let plan = Plan { bounds, until_any, ..Plan::default() };
    search(system, plan, &mut |progress| {
        keep_going(Progress { states: progress.states, frontier: progress.frontier })
    })
}

/// The rules whose breach is undefined behaviour, by number.
fn undefined() -> u64 {
    let undefined = RuleId::of_amdgpu().filter(|rule| rule.get().class == Some(Class::Ub));
    undefined.fold(0, |set, rule| set | 1 << fact(rule))
}

/// Looks for shorter paths to the rules that a path can break before its end, without reductions and within a bound.
fn shorter<S: System>(system: &S, found: &Found, keep_going: KeepGoing<'_>) -> Option<Found> {
    let mut until = found.somewhere.0 & u128::from(u64::MAX) & !(1 << OVERFLOW);
    until &= !(1 << fact(RuleId::AmdWaitNeverCompletes));
    if until == 0 {
        return None;
    }
    let bits = (0..64).filter(|bit| until & 1 << bit != 0);
    let longest = bits.filter_map(|bit| found.path(bit)).map(|path| path.len()).max()?;
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, depth: longest as u32 };
    let plan = Plan { reduce: false, bounds, until: Facts(until), ..Plan::default() };
    Some(search(system, plan, &mut |progress| {
        keep_going(Progress { states: progress.states, frontier: progress.frontier })
    }))
}

/// Whether a breadth-first search without reductions met a fact.
fn is_shortest(found: &Found, bit: u32) -> bool {
    found.path(bit).is_some()
}

/// The facts of every end. Where undefined behaviour cuts some paths short, reductions may have put other steps before the
/// cut, and with them rules that a path breaks and survives: those count as met in every schedule only if a search without
/// reductions says so within its bound.
fn always<S: System>(system: &S, found: &Found, keep_going: KeepGoing<'_>) -> Facts {
    let survived = RuleId::of_amdgpu()
        .filter(|rule| matches!(rule.get().class, Some(Class::Violation | Class::Race)));
    let survived = survived.fold(0, |set, rule| set | 1u128 << fact(rule));
    if found.somewhere.0 & u128::from(undefined()) == 0 || found.always.0 & survived == 0 {
        return found.always;
    }
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, ..Bounds::default() };
    let plan = Plan { reduce: false, bounds, ..Plan::default() };
    let all = search(system, plan, &mut |progress| {
        keep_going(Progress { states: progress.states, frontier: progress.frontier })
    });
    if all.end == End::Complete { all.always } else { Facts(found.always.0 & !survived) }
}

fn judge(found: &Found, always: Facts) -> Judgement {
    let complete = found.end == End::Complete && found.somewhere.0 & 1 << OVERFLOW == 0;
    let met = |rule: &RuleId| found.somewhere.0 & 1 << fact(*rule) != 0;
    let somewhere = |rule: &RuleId| found.somewhere.0 & 1 << fact_somewhere(*rule) != 0;
    let broken = |rule: RuleId| {
        let always = complete && always.0 & 1 << fact(rule) != 0;
        let schedules = if always { Schedules::All } else { Schedules::Some };
        Broken { rule, schedules, path: Vec::new(), shortest: false }
    };
    let mut rules: Vec<Broken> = RuleId::of_amdgpu().filter(met).map(broken).collect();
    rules.sort_by_key(|broken| broken.rule.get().class);
    Judgement {
        verdict: verdict(RuleId::of_amdgpu().filter(met), complete),
        verdict_somewhere: verdict(
            RuleId::of_amdgpu().filter(|rule| met(rule) || somewhere(rule)),
            complete,
        ),
        exhaustive: complete,
        bound: (!complete).then(|| reason(found.end)),
        broken: rules,
        states: found.states,
        executions: found.terminals,
        relevant: 0,
    }
}

/// Why a search did not see everything, as the end of a sentence.
pub(crate) const fn reason(end: End) -> &'static str {
    match end {
        End::Bound => "the search stored as many states, or bytes of them, as it may",
        End::Cancelled => "it was cancelled",
        End::Complete | End::Met => {
            "an execution has more than is kept: 128 phases that a wait can still depend on, 512 choices among them, or 128 groups of accesses that others can still race with"
        }
    }
}

/// The worst verdict of the broken rules; `unknown` instead of `ok` when not everything was seen.
pub(crate) fn verdict(rules: impl Iterator<Item = RuleId>, complete: bool) -> Verdict {
    let best = if complete { Verdict::Ok } else { Verdict::Unknown };
    rules.filter_map(|rule| rule.get().class).map(|class| class.verdict()).fold(best, Verdict::min)
}

/// Turns a path among canonical states into the steps of the program's own agents.
fn concrete_by_text(spec: &Spec, path: &[u32]) -> Vec<Step> {
    let mut state = spec.initial();
    let mut who = spec.canonicalise(&mut state);
    path.iter()
        .map(|&action| {
            let (agent, way) = parts(action);
            let step = Step { agent: who[agent], way };
            state = spec.perform(&state, agent, way);
            who = spec.canonicalise(&mut state).into_iter().map(|old| who[old]).collect();
            step
        })
        .collect()
}

fn concrete_by_machine(machine: &Machine, path: &[u32]) -> Vec<Step> {
    let mut state = machine.initial();
    let mut who = machine.canonicalise(&mut state);
    path.iter()
        .map(|&action| {
            let (agent, way) = parts(action);
            let step = Step { agent: who[agent], way };
            state = machine.perform(&state, agent, way);
            who = machine.canonicalise(&mut state).into_iter().map(|old| who[old]).collect();
            step
        })
        .collect()
}

/// Makes a program ready for the text's machine.
pub(crate) fn spec(context: &Rc<Context>, readings: Readings, target: &Target) -> Option<Spec> {
    Spec::new(Rc::clone(context), readings).ok().map(|spec| spec.on(target))
}

#[cfg(test)]
pub(crate) mod tests;
