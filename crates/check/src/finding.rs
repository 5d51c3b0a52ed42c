//! Findings as reported: a broken rule told, with its place and its witness.

use crate::explain::Told;
use crate::judge::Step;
use crate::report::{Finding, WitnessStep};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::{Node, Program};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Puts a finding together.
#[must_use]
pub(crate) fn finding(scene: &Scene, rule: RuleId, schedules: Schedules, told: Told) -> Finding {
    let place = told
        .agent
        .zip(told.node)
        .map(|(agent, node)| scene.source(agent, node).span)
        .filter(|span| span.line > 0);
    let rule = rule.get();
    Finding {
        rule: rule.id.to_owned(),
        class: rule.class.map_or("", Class::word).to_owned(),
        schedules: schedules.word().to_owned(),
        message: told.message,
        agent: told.agent.map(|agent| scene.agent_name(agent).to_owned()),
        line: place.map(|span| span.line),
        column: place.map(|span| span.column),
        because: told.because,
        remedy: told.remedy.or_else(|| (!rule.remedy.is_empty()).then(|| rule.remedy.to_owned())),
        witness: Vec::new(),
        shortest: true,
        related: told.related,
        fix: told.fix,
    }
}

/// One step of a witness as reported; `node` is where the agent stood, `ordinal` how many steps it had performed.
#[must_use]
pub(crate) fn witness_step(
    scene: &Scene,
    program: &Program,
    step: Step,
    node: u32,
    ordinal: u32,
) -> WitnessStep {
    let source = scene.source(step.agent, node);
    WitnessStep {
        agent: scene.agent_name(step.agent).to_owned(),
        line: source.span.line,
        operation: if source.text.is_empty() { "end".to_owned() } else { source.text },
        key: key(program, step, node, ordinal),
    }
}

/// The stable key of a step: workgroup, wave, how many steps the agent performed before, and the alternative of a
/// `choose`.
#[must_use]
pub(crate) fn key(program: &Program, step: Step, node: u32, ordinal: u32) -> String {
    let agent = program.agents[step.agent];
    let chooses = matches!(program.body_of(step.agent).nodes[node as usize], Node::Choose { .. });
    let way = if chooses { format!("/{}", step.way) } else { String::new() };
    format!("{}.{}:{ordinal}{way}", agent.workgroup, agent.wave)
}
