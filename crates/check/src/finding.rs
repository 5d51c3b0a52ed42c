//! Findings as reported: a broken rule with its texts, its place and its witness.

use crate::explain::{self, Told};
use crate::judge::Broken;
use crate::replay::{Done, Replay, Steps};
use crate::report::{Finding, POSSIBLE, WitnessStep};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::scenario::{Need, Source};
use tidegate_model::mem::map::{Access, accesses};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action as Ptx;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Builds a finding without a witness.
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
        certainty: "certain".to_owned(),
        condition: None,
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

/// Builds a finding with its witness; `tell` sees the replayed witness.
#[must_use]
pub(crate) fn with_witness<M: Steps>(
    scene: &Scene,
    machine: &M,
    broken: &Broken,
    tell: impl Fn(&Scene, &Replay<M>, RuleId) -> Told,
) -> Finding {
    let mut replay = Replay::new(machine.clone());
    replay.perform_all(&broken.path);
    let told = tell(scene, &replay, broken.rule);
    put_together(scene, &replay, broken, told)
}

/// Builds a finding with its witness from its texts.
#[must_use]
pub(crate) fn put_together<M: Steps>(
    scene: &Scene,
    replay: &Replay<M>,
    broken: &Broken,
    told: Told,
) -> Finding {
    let found = Finding {
        witness: replay.done.iter().map(|done| witness_step(scene, replay, done)).collect(),
        shortest: broken.shortest,
        ..finding(scene, broken.rule, broken.schedules, told)
    };
    if !broken.possible {
        return found;
    }
    Finding {
        certainty: POSSIBLE.to_owned(),
        condition: Some(needed(scene, replay, &found)),
        ..found
    }
}

/// The condition of a possible finding: on the last step, and on the one that conflicts with it.
fn needed<M: Steps>(scene: &Scene, replay: &Replay<M>, found: &Finding) -> String {
    let steps = || replay.done.iter().map(|done| (replay.machine.agent_of(done), done.node));
    let related = |source: &Source| {
        let place = (source.span.line, source.span.column);
        found.related.iter().any(|one| (one.line, one.column) == place)
    };
    let last = steps().last();
    let of_pair = || {
        steps().filter(|&step| {
            let conflict = last.is_some_and(|last| conflict(scene, step, last));
            Some(step) == last || conflict || related(&scene.source(step.0, step.1))
        })
    };
    let mut told = together(scene, of_pair());
    if told.is_empty() {
        told = together(scene, steps());
    }
    if told.is_empty() {
        told = tiles(scene, of_pair());
    }
    let chosen = || {
        let first = replay.done.first()?;
        explain::passed(scene, first.step, first.node)
    };
    if told.is_empty() {
        told.extend(chosen());
    }
    match told.is_empty() {
        true => "data have values that the checker does not track".to_owned(),
        false => explain::list(&told),
    }
}

/// The conditions on the tiles of tensor copies, each once.
fn tiles(scene: &Scene, steps: impl Iterator<Item = (usize, u32)>) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for (agent, node) in steps {
        let Some(Action::Ptx(Ptx::Copy { tile: Some(tile), .. }, _)) = action(scene, (agent, node))
        else {
            continue;
        };
        let Source { span, text, .. } = scene.source(agent, node);
        let (what, verb) =
            if tile.unknown == 0 { ("tile", "contains") } else { ("coordinates", "name") };
        let one = format!("the {what} of `{text}` (line {}) {verb} those bytes", span.line);
        if !told.contains(&one) {
            told.push(one);
        }
    }
    told
}

fn action(scene: &Scene, (agent, node): (usize, u32)) -> Option<Action> {
    match scene.context()?.program.body_of(agent).nodes.get(node as usize)? {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    }
}

/// Whether two operations access the same bytes, and one of them writes.
fn conflict(scene: &Scene, one: (usize, u32), other: (usize, u32)) -> bool {
    let of = |at| action(scene, at).into_iter().flat_map(accesses).collect::<Vec<Access>>();
    let own = of(one);
    of(other).iter().any(|other| own.iter().any(|one| one.conflicts(*other)))
}

/// The conditions on some steps, each once with its agents.
fn together(scene: &Scene, steps: impl Iterator<Item = (usize, u32)>) -> Vec<String> {
    let mut needs: Vec<(Need, Vec<String>)> = Vec::new();
    for (agent, node) in steps {
        for need in scene.source(agent, node).needs {
            let name = scene.agent_name(agent).to_owned();
            match needs.iter_mut().find(|(known, _)| *known == need) {
                Some((_, agents)) if agents.contains(&name) => {}
                Some((_, agents)) => agents.push(name),
                None => needs.push((need, alloc::vec![name])),
            }
        }
    }
    let told = |(need, agents): (Need, Vec<String>)| {
        let says = match need.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "is that element",
        };
        let (text, who) = (&need.text, explain::list(&agents));
        format!("`{text}` (line {}) {says} for {who}", need.span.line)
    };
    needs.into_iter().map(told).collect()
}

/// One step of a witness as reported.
fn witness_step<M: Steps>(scene: &Scene, replay: &Replay<M>, done: &Done<M::Note>) -> WitnessStep {
    let agent = replay.machine.agent_of(done);
    let source = scene.source(agent, done.node);
    let flying = replay.machine.flying(scene, done);
    let passed = explain::passed(scene, done.step, done.node);
    let name = scene.agent_name(agent);
    WitnessStep {
        agent: if flying.is_some() { format!("copy of {name}") } else { name.to_owned() },
        line: source.span.line,
        operation: flying.or(passed).unwrap_or_else(|| written(source.text)),
        key: replay.key(done),
    }
}

/// The text of an operation; the end of an agent has no text.
#[must_use]
pub(crate) fn written(text: String) -> String {
    if text.is_empty() { "end".to_owned() } else { text }
}
