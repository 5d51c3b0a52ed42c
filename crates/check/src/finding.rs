//! Findings as reported: a broken rule with its texts, its place and its witness.

use crate::cause::{At, Cause, Common, Finding as Found};
use crate::judge::Broken;
use crate::replay::{Done, Replay, Steps};
use crate::report::{Finding, POSSIBLE, WitnessStep};
use crate::scene::Scene;
use crate::space::Step;
use crate::tell::condition::{self, Condition};
use crate::tell::{self, related};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::source::{Need, Source};
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Access;
use tidegate_model::operation::{Action, Operation};
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action as Ptx;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Puts a finding without a witness into words.
#[must_use]
pub(crate) fn finding(scene: &Scene, rule: RuleId, schedules: Schedules, found: Found) -> Finding {
    let place =
        found.at.map(|(agent, node)| scene.source(agent, node).span).filter(|span| span.line > 0);
    let rule = rule.get();
    let help = || (!rule.remedy.is_empty()).then(|| rule.remedy.to_owned());
    Finding {
        rule: rule.id.to_owned(),
        class: rule.class.map_or("", Class::word).to_owned(),
        schedules: schedules.word().to_owned(),
        certainty: "certain".to_owned(),
        condition: None,
        cause: found.cause.report(scene, &found.facts),
        message: tell::say(scene, &found.cause),
        agent: found.at.map(|(agent, _)| scene.agent_name(agent).to_owned()),
        line: place.map(|span| span.line),
        column: place.map(|span| span.column),
        because: tell::notes(scene, &found.facts),
        remedy: found.help.or_else(help).filter(|help| !help.is_empty()),
        witness: Vec::new(),
        shortest: true,
        related: found.related,
        fix: found.fix,
    }
}

/// Builds a finding with its witness; `tell` sees the replayed witness.
#[must_use]
pub(crate) fn with_witness<M: Steps>(
    scene: &Scene,
    machine: &M,
    broken: &Broken,
    tell: impl Fn(&Scene, &Replay<M>, RuleId) -> Found,
) -> Finding {
    let mut replay = Replay::new(machine.clone());
    replay.perform_all(&broken.path);
    let found = tell(scene, &replay, broken.rule);
    put_together(scene, &replay, broken, found)
}

/// Builds a finding with its witness.
#[must_use]
pub(crate) fn put_together<M: Steps>(
    scene: &Scene,
    replay: &Replay<M>,
    broken: &Broken,
    mut found: Found,
) -> Finding {
    found.facts.extend(passed_of(scene, broken));
    let found = Finding {
        witness: replay.done.iter().map(|done| witness_step(scene, replay, done)).collect(),
        shortest: broken.shortest,
        ..finding(scene, broken.rule, broken.schedules, found)
    };
    if !broken.possible {
        return found;
    }
    Finding {
        certainty: POSSIBLE.to_owned(),
        condition: Some(condition::say(scene, &needed(scene, replay, &found))),
        ..found
    }
}

/// The arguments that the host passes in a witness, if it chooses.
fn passed_of(scene: &Scene, broken: &Broken) -> Option<Cause> {
    let arguments = passed(scene, *broken.path.first()?, 0)?.to_owned();
    let decisive = broken.schedules != Schedules::All;
    let always = broken.chosen == Some(Schedules::All);
    Some(Common::Passed { arguments, decisive, always }.into())
}

/// The arguments of a step in which the host chooses them.
#[must_use]
pub(crate) fn passed(scene: &Scene, step: Step, node: u32) -> Option<&str> {
    scene.passed().get(step.way).filter(|_| node == 0).map(String::as_str)
}

/// The conditions of a possible finding: on the last step, and on the one that conflicts with it.
fn needed<M: Steps>(scene: &Scene, replay: &Replay<M>, found: &Finding) -> Vec<Condition> {
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
    let chosen = || {
        let first = replay.done.first();
        let arguments = first.and_then(|first| passed(scene, first.step, first.node));
        arguments.map(|arguments| Condition::Passed(arguments.to_owned())).into_iter().collect()
    };
    if found.rule == RuleId::PtxClusterExitedCta.get().id {
        return last.map(Condition::Exit).into_iter().collect();
    }
    let some = |found: Vec<Condition>| Some(found).filter(|found| !found.is_empty());
    let groups = of_groups(scene, of_pair());
    if !groups.is_empty() {
        return [groups, together(scene, of_pair())].into_iter().flatten().collect();
    }
    some(together(scene, of_pair()))
        .or_else(|| some(apart(together(scene, steps()))))
        .or_else(|| some(tiles(scene, of_pair())))
        .unwrap_or_else(chosen)
}

/// The condition on an assumed number of work-groups, if a step is in another work-group than the first.
fn of_groups(scene: &Scene, mut steps: impl Iterator<Item = At>) -> Vec<Condition> {
    let Some(context) = scene.context().filter(|context| context.program.groups_assumed) else {
        return Vec::new();
    };
    let agents = &context.program.agents;
    let second = steps.any(|(agent, _)| agents.get(agent).is_some_and(|one| one.workgroup > 0));
    if second { Vec::from([Condition::Groups]) } else { Vec::new() }
}

/// The conditions on the tiles of tensor copies.
fn tiles(scene: &Scene, steps: impl Iterator<Item = At>) -> Vec<Condition> {
    let tile = |at: At| match action(scene, at)? {
        Action::Ptx(Ptx::Copy { tile: Some(tile), .. }, _) => {
            Some(Condition::Tile(at, tile.unknown != 0))
        }
        _ => None,
    };
    steps.filter_map(tile).collect()
}

fn operation(scene: &Scene, (agent, node): At) -> Option<Operation> {
    match scene.context()?.program.body_of(agent).nodes.get(node as usize)? {
        Node::Operation { operation, .. } => Some(*operation),
        _ => None,
    }
}

fn action(scene: &Scene, at: At) -> Option<Action> {
    operation(scene, at).map(|operation| operation.action)
}

/// Whether two operations access the same bytes, and one of them writes.
fn conflict(scene: &Scene, one: At, other: At) -> bool {
    let of = |at| action(scene, at).into_iter().flat_map(accesses).collect::<Vec<Access>>();
    let own = of(one);
    let when = |at| operation(scene, at).map_or(0, |operation| operation.when);
    let exclude = |own: Access, met: Access| {
        let (own, met) = ((when(one), own.range), (when(other), met.range));
        scene.context().is_some_and(|context| context.program.exclude(own, met))
    };
    let alike = |at| operation(scene, at).map(|operation| operation.alike).unwrap_or_default();
    !alike(one).excuses(alike(other))
        && of(other)
            .iter()
            .any(|&met| own.iter().any(|&own| own.conflicts(met) && !exclude(own, met)))
}

/// Conditions on steps that are not known to access the same element.
fn apart(conditions: Vec<Condition>) -> Vec<Condition> {
    let alone = |condition| match condition {
        Condition::Same(needs, _) => Condition::Same(needs, None),
        other => other,
    };
    conditions.into_iter().map(alone).collect()
}

/// Whether data decide which element an expression names.
const fn is_place(need: &Need) -> bool {
    need.holds.is_none() && !need.orders
}

/// The conditions on some steps, each once with its agents.
fn together(scene: &Scene, steps: impl Iterator<Item = At>) -> Vec<Condition> {
    let (mut needs, mut other): (Vec<(Need, Vec<usize>)>, Option<At>) = (Vec::new(), None);
    for (agent, node) in steps {
        let has_place = scene.source(agent, node).needs.iter().any(is_place);
        let accesses = action(scene, (agent, node)).into_iter().flat_map(accesses).next().is_some();
        other = other.or(Some((agent, node)).filter(|_| accesses && !has_place));
        for need in scene.source(agent, node).needs {
            match needs.iter_mut().find(|(known, _)| *known == need) {
                Some((_, agents)) if agents.contains(&agent) => {}
                Some((_, agents)) => agents.push(agent),
                None => needs.push((need, alloc::vec![agent])),
            }
        }
    }
    let (places, needs): (Vec<_>, Vec<_>) = needs.into_iter().partition(|(need, _)| is_place(need));
    let needs = needs.into_iter().map(|(need, agents)| Condition::Need(need, agents));
    let places = (!places.is_empty()).then_some(Condition::Same(places, other));
    needs.chain(places).collect()
}

/// One step of a witness as reported.
fn witness_step<M: Steps>(scene: &Scene, replay: &Replay<M>, done: &Done<M::Note>) -> WitnessStep {
    let (agent, line, operation) = in_words(scene, &replay.machine, done);
    WitnessStep { agent, line, operation, key: replay.key(done) }
}

/// The agent, the line and the operation of a step.
pub(crate) fn in_words<M: Steps>(
    scene: &Scene,
    machine: &M,
    done: &Done<M::Note>,
) -> (String, u32, String) {
    let agent = machine.agent_of(done);
    let source = scene.source(agent, done.node);
    let flying = machine.flying(scene, done);
    let passed = passed(scene, done.step, done.node).map(related::passed);
    let name = scene.agent_name(agent);
    let agent = if flying.is_some() { format!("copy of {name}") } else { name.to_owned() };
    (agent, source.span.line, flying.or(passed).unwrap_or_else(|| written(source.text)))
}

/// The text of an operation; the end of an agent has no text.
#[must_use]
pub(crate) fn written(text: String) -> String {
    if text.is_empty() { "end".to_owned() } else { text }
}
