//! The judgement of the text by its axioms alone, with witnesses as interleavings where there are any.

use crate::judge::{self, Broken, Judgement, KeepGoing, Progress, Step};
use crate::scene::Options;
use alloc::vec::Vec;
use tidegate_model::axioms::engine::{self, Plan, Sample};
use tidegate_model::axioms::text::Text;
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
    engine::judge(&text(spec), plan, &mut |steps| {
        keep_going(Progress { states: steps, frontier: 0 })
    })
}

/// What the axioms say, as any oracle says it.
#[must_use]
pub(crate) fn judgement(found: &engine::Judgement) -> Judgement {
    let broken = |(&rule, sample): (&RuleId, &Sample)| Broken {
        rule,
        schedules: schedules(found.always, rule),
        path: path(sample),
        // Every whole execution was met, and those that get stuck are compared by their length.
        shortest: rule == RuleId::AmdWaitNeverCompletes,
    };
    let mut rules: Vec<Broken> = found.broken.iter().map(broken).collect();
    rules.sort_by_key(|broken| broken.rule.get().class);
    let every = || found.broken.keys().copied();
    let some = RuleId::ALL.into_iter().filter(|rule| found.somewhere & 1 << *rule as u32 != 0);
    Judgement {
        verdict: judge::verdict(every(), found.complete),
        verdict_somewhere: judge::verdict(every().chain(some), found.complete),
        exhaustive: found.complete,
        broken: rules,
        states: found.steps,
        executions: found.executions,
        relevant: u32::MAX,
    }
}

fn schedules(always: u64, rule: RuleId) -> Schedules {
    if always & 1 << rule as u32 != 0 { Schedules::All } else { Schedules::Some }
}

/// The steps of an interleaving of an execution; none where there is none.
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

/// A plan within the bounds of a check.
#[must_use]
pub(crate) fn plan(options: &Options, every_order: bool) -> Plan {
    let steps = options.max_states.unwrap_or(2_000_000);
    Plan { steps, every_order, count: every_order }
}

#[cfg(test)]
mod tests;
