//! The judgement by the axioms, with witnesses as interleavings if there are any.

use crate::cause::Open;
use crate::judge::{self, Broken, Judgement, KeepGoing, Progress};
use crate::scene::{Engine, Options};
use crate::space::Step;
use alloc::vec::Vec;
use tidegate_model::axioms::engine::{self, Plan, WORK};
use tidegate_model::axioms::sample::Sample;
use tidegate_model::axioms::text::Text;
use tidegate_model::operation::{Action, Operation};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::verdict::Schedules;

/// The text of a program under the readings of its machine.
#[must_use]
pub(crate) fn text(spec: &Spec) -> Text {
    Text::new(spec.context.clone(), spec.readings)
}

/// Enumerates the executions of a program.
pub(crate) fn enumerate(spec: &Spec, plan: Plan, keep_going: KeepGoing<'_>) -> engine::Judgement {
    enumerate_without(spec, 0, plan, keep_going)
}

/// The same without some rules, given by number.
pub(crate) fn enumerate_without(
    spec: &Spec,
    rules: u64,
    plan: Plan,
    keep_going: KeepGoing<'_>,
) -> engine::Judgement {
    engine::judge(&text(spec).leaving_out(rules), plan, &mut |steps| {
        keep_going(Progress { states: steps, frontier: 0 })
    })
}

/// The verdict of the axioms as an oracle.
#[must_use]
pub(crate) fn judgement(found: &engine::Judgement) -> Judgement {
    let broken = |(&rule, sample): (&RuleId, &Sample)| Broken {
        rule,
        schedules: schedules(found.always, rule),
        chosen: None,
        path: path(sample),
        // Every complete execution was visited; blocked ones are compared by their length.
        shortest: rule == RuleId::AmdWaitNeverCompletes,
        possible: false,
    };
    let mut rules: Vec<Broken> = found.broken.iter().map(broken).collect();
    rules.sort_by_key(|broken| broken.rule.get().class);
    let every = || found.broken.keys().copied();
    let some = RuleId::of_amdgpu().filter(|rule| found.somewhere & rule.bit() != 0);
    Judgement {
        bound: found.bound.map(Open::Enumeration),
        reach: None,
        continues: false,
        verdict: judge::verdict(every(), found.is_complete()),
        verdict_somewhere: judge::verdict(every().chain(some), found.is_complete()),
        exhaustive: found.is_complete(),
        broken: rules,
        transitions: 0,
        states: found.steps,
        work: 0,
        executions: found.executions,
        relevant: u32::MAX,
        one_run: false,
        stuck_everywhere: false,
    }
}

fn schedules(always: u64, rule: RuleId) -> Schedules {
    if always & rule.bit() != 0 { Schedules::All } else { Schedules::Some }
}

/// The steps of an interleaving of an execution; `None` without an interleaving.
#[must_use]
pub(crate) fn path(sample: &Sample) -> Vec<Step> {
    if sample.line.is_empty() && !sample.execution.events.is_empty() {
        return Vec::new();
    }
    let mut done = alloc::vec![0; sample.ways.len()];
    let mut path = Vec::new();
    let mut advance = |agent: usize, until: usize| {
        while done[agent] < until.min(sample.ways[agent].len()) {
            path.push(Step { agent, way: sample.ways[agent][done[agent]] as usize });
            done[agent] += 1;
        }
    };
    for &event in &sample.line {
        let event = &sample.execution.events[event];
        advance(event.agent, event.ordinal as usize + 1);
    }
    (0..sample.ways.len()).for_each(|agent| advance(agent, usize::MAX));
    path
}

/// Largest number of steps of the enumeration that distinguishes every order, before the other one is tried.
const EVERY_ORDER: u64 = 300_000;
/// Default largest number of steps of an enumeration.
const STEPS: u64 = 20_000_000;

/// The part of the work that the enumeration of every order may take, and each other answer to an open question.
const PART: u64 = 8;

/// A plan within the bounds of a check.
#[must_use]
pub(crate) fn plan(options: &Options, every_order: bool) -> Plan {
    let most = options.max_states.unwrap_or(STEPS);
    let first = every_order && !options.participates_in;
    let steps = if first { most.min(EVERY_ORDER) } else { most };
    let work = if first { WORK / PART } else { WORK };
    Plan { steps, work, every_order, count: every_order, whole: false }
}

/// The judgement by the axioms. If only the verdict is requested, orders are not distinguished and the enumeration is
/// shorter.
pub(crate) fn by_axioms(
    spec: &Spec,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let left_out = options.left_out();
    // Merging orders with equal counts is justified only if every rule is in force.
    let first = Plan {
        steps: if left_out == 0 { plan(options, true).steps } else { plan(options, false).steps },
        ..plan(options, true)
    };
    let every =
        (witnesses || left_out != 0).then(|| enumerate_without(spec, left_out, first, keep_going));
    let taken = every.as_ref().map_or(0, |every| every.steps);
    let every = every.filter(|every| every.is_complete() || left_out != 0);
    let mut found = every.as_ref().map_or_else(
        || {
            let plan = plan(options, false);
            let work = if witnesses { plan.work } else { plan.work / PART };
            let mut found = enumerate(spec, Plan { work, ..plan }, keep_going);
            found.steps += taken;
            judgement(&found)
        },
        judgement,
    );
    // The axioms here are those of barriers: what is broken of memory is what exploration finds.
    let memory = |operation: &Operation| matches!(operation.action, Action::Memory(_));
    let whole = spec.memory.is_none() || !spec.context.operations().any(|(_, _, one)| memory(one));
    if !whole {
        found.add_memory(judge::by_text(spec, options, witnesses, keep_going));
    }
    found
}

impl Judgement {
    /// Adds what another way to the verdict finds of memory.
    fn add_memory(&mut self, explored: Self) {
        self.join_extent(&explored);
        let of_memory = |broken: &Broken| is_of_memory(broken.rule);
        self.broken.extend(explored.broken.into_iter().filter(of_memory));
        self.broken.sort_by_key(|broken| broken.rule.get().class);
        self.states += explored.states;
        let certain = self.broken.iter().filter(|broken| !broken.possible);
        let somewhere = self.verdict_somewhere.min(explored.verdict_somewhere);
        let complete = self.exhaustive && self.broken.iter().all(|broken| !broken.possible);
        self.verdict = judge::verdict(certain.map(|broken| broken.rule), complete);
        self.verdict_somewhere = somewhere.min(self.verdict);
    }
}

/// Whether a rule is about memory, which the axioms do not model.
pub(crate) const fn is_of_memory(rule: RuleId) -> bool {
    matches!(rule, RuleId::MemRace | RuleId::AsyncRace | RuleId::AmdBarrierOutstandingMemory)
}

/// The judgement by the requested engine.
pub(crate) fn by_engine(
    spec: &Spec,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    match options.engine {
        _ if options.left_out() != 0 => by_axioms(spec, options, witnesses, keep_going),
        Engine::Axioms => by_axioms(spec, options, witnesses, keep_going),
        Engine::Auto | Engine::Explore | Engine::Plain => {
            judge::by_text(spec, options, witnesses, keep_going)
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod without;
