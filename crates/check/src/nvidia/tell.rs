//! Sentences about programs of NVIDIA.

use super::replay::{Done, Object, Replay, acts_on, object_name};
use crate::explain::{self, Told, list};
use crate::finding;
use crate::judge::Broken;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Action, Asked};
use tidegate_model::ptx::machine::state::{Held, State};
use tidegate_model::ptx::machine::{Machine, action_of, bit};
use tidegate_model::ptx::transition::Mbarrier;
use tidegate_model::rule::RuleId;

/// A broken rule with its witness.
pub(super) fn finding(scene: &Scene, machine: &Machine, broken: &Broken) -> Finding {
    finding::with_witness(scene, machine, broken, tell)
}

fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Told {
    let at_end = replay.state().broken & bit(rule) == 0;
    if at_end {
        return stuck(scene, replay, rule);
    }
    let Some(last) = replay.done.last() else {
        return Told { message: rule.get().statement.to_owned(), ..Told::default() };
    };
    let before = &replay.states[replay.done.len() - 1];
    let agent = last.note.copy.map_or(last.step.agent, |copy| copy.agent as usize);
    let (message, because) = sentences(scene, replay, before, last, rule);
    Told { message, because, agent: Some(agent), node: Some(last.node), ..Told::default() }
}

/// An operation with its agent and line; a step of a copy says so.
fn described(scene: &Scene, done: &Done) -> String {
    match done.note.copy {
        Some(copy) => format!(
            "the copy started by {}",
            explain::operation(scene, copy.agent as usize, done.node)
        ),
        None => explain::operation(scene, done.step.agent, done.node),
    }
}

/// The counts of an object: "phase 2 waits for 1 of 2 arrivals and 128 bytes".
pub(crate) fn counts(object: Mbarrier) -> String {
    if !object.valid {
        return "it is not initialised".to_owned();
    }
    let bytes = match object.tx {
        0 => String::new(),
        tx if tx > 0 => format!(" and {tx} bytes"),
        tx => format!("; {} bytes more were completed than expected", -tx),
    };
    format!(
        "phase {} waits for {} of {} arrivals{bytes}",
        object.phase, object.pending, object.expected
    )
}

fn sentences(
    scene: &Scene,
    replay: &Replay,
    before: &State,
    last: &Done,
    rule: RuleId,
) -> (String, Vec<String>) {
    let what = described(scene, last);
    let name = last
        .note
        .object
        .map(|object| object_name(scene, &replay.machine, object))
        .unwrap_or_default();
    let state = match last.note.object {
        Some(Object::Mbarrier(index)) => Some(before.mbarriers[index]),
        _ => None,
    };
    let earlier = |keep: &dyn Fn(&Done) -> bool| -> Vec<String> {
        let steps = &replay.done[..replay.done.len() - 1];
        steps
            .iter()
            .filter(|done| done.note.object == last.note.object && keep(done))
            .map(|done| described(scene, done))
            .collect()
    };
    let because = |sentence: String| alloc::vec![sentence];
    match rule {
        RuleId::PtxMbarrierValidObject | RuleId::PtxMbarrierInitVisibility => (
            format!("{what} uses {name} where it is not initialised."),
            because(if rule == RuleId::PtxMbarrierInitVisibility {
                "Another agent initialises it, and nothing orders that before this use.".to_owned()
            } else {
                "In this order no init comes before it, or an inval came in between.".to_owned()
            }),
        ),
        RuleId::PtxMbarrierMissingWait => (
            format!("{what} arrives in phase {} of {name} before any wait has observed that phase {} completed.", phase(state), phase(state).wrapping_sub(1)),
            because(format!("Phase {} was completed by {}.", phase(state).wrapping_sub(1), completing(scene, replay, last).unwrap_or_default())),
        ),
        RuleId::PtxMbarrierOverArrival => (
            format!("{what} arrives more often than {name} waits for."),
            because(state.map(counts).map(|counts| format!("{counts}.")).unwrap_or_default()),
        ),
        RuleId::PtxMbarrierNoComplete => (
            format!("{what} is marked .noComplete and completes phase {} of {name}.", phase(state)),
            because(format!("It is the last arrival that the phase waits for: {}.", state.map(counts).unwrap_or_default())),
        ),
        RuleId::PtxMbarrierLateExpectTx => (
            format!("{what} brings the tx-count of {name} to zero with no arrival pending: by the letter nothing completes the phase."),
            because(format!("Before it {}.", state.map(counts).unwrap_or_default())),
        ),
        RuleId::PtxMbarrierParityAlias => (
            format!("{what} returns on phase {} of {name}; in other schedules the same wait returns on an earlier phase of the same parity.", phase(state).wrapping_sub(1)),
            because("Nothing orders this wait before the phase after the one that it was written for can end.".to_owned()),
        ),
        RuleId::PtxMbarrierFirstParity => (
            format!("{what} returns at once: {name} is fresh, and no phase of parity 1 came before."),
            Vec::new(),
        ),
        RuleId::PtxMbarrierPhaseWindow => (
            format!("{what} asks {name} for a phase that is neither the running one nor the one before."),
            because(format!("Phase {} is running.", phase(state))),
        ),
        RuleId::PtxBarCountMismatch => (
            format!("{what} names another thread count than those that use {name} now."),
            because(format!("Arrived before it: {}.", list(&earlier(&|_| true)))),
        ),
        RuleId::PtxBarDoubleArrive => (
            format!("{what} uses {name} again before it completed."),
            because(format!("It arrived before with {}.", list(&earlier(&|done| done.step.agent == last.step.agent)))),
        ),
        _ => (format!("{what}: {}", rule.get().statement), Vec::new()),
    }
}

fn phase(state: Option<Mbarrier>) -> u32 {
    state.map_or(0, |object| object.phase)
}

/// The step that completed the phase before the running one of the object of the last step.
fn completing(scene: &Scene, replay: &Replay, last: &Done) -> Option<String> {
    let steps = &replay.done[..replay.done.len() - 1];
    let done = steps
        .iter()
        .rev()
        .find(|done| done.note.object == last.note.object && done.note.completes)?;
    Some(described(scene, done))
}

fn stuck(scene: &Scene, replay: &Replay, rule: RuleId) -> Told {
    let state = replay.state();
    let mbarriers = rule != RuleId::PtxBarNeverCompletes;
    let is_wait = |&agent: &usize| {
        let action = replay.machine.node(state, agent).and_then(action_of);
        matches!(action, Some(Action::Wait { .. })) == mbarriers
    };
    let ahead = ahead(&replay.machine, state);
    let in_vain = |&agent: &usize| never_goes_on(&replay.machine, &ahead, agent);
    let stuck: Vec<usize> = (0..state.agents.len())
        .filter(|&agent| !state.agents[agent].ended)
        .filter(is_wait)
        .filter(in_vain)
        .collect();
    let names: Vec<String> = stuck
        .iter()
        .map(|&agent| explain::operation(scene, agent, state.agents[agent].node))
        .collect();
    let verb = if names.len() == 1 { "never completes" } else { "never complete" };
    let over =
        (0..replay.machine.actors(state)).all(|actor| replay.machine.ways(state, actor) == 0);
    let why =
        if over { "no agent can go on" } else { "what goes on for ever does not change that" };
    Told {
        message: format!("{} {verb}: {why}.", list(&names)),
        because: stuck.iter().map(|&agent| blocked(scene, replay, agent)).collect(),
        agent: stuck.first().copied(),
        node: stuck.first().map(|&agent| state.agents[agent].node),
        ..Told::default()
    }
}

/// Most states that are looked at for whoever is only blocked for a while.
const AHEAD: usize = 500;

/// States that can follow, the nearest first, and not all of them where they are many.
fn ahead(machine: &Machine, state: &State) -> Vec<State> {
    let mut states = alloc::vec![state.clone()];
    let mut next = 0;
    while next < states.len() && states.len() < AHEAD {
        for actor in 0..machine.actors(&states[next]) {
            for way in 0..machine.ways(&states[next], actor) {
                let mut after = machine.perform(&states[next], actor, way);
                machine.canonicalise(&mut after);
                if !states.contains(&after) {
                    states.push(after);
                }
            }
        }
        next += 1;
    }
    states
}

/// Whether an agent stands at one operation in all of some states and cannot go on, or is told no.
fn never_goes_on(machine: &Machine, states: &[State], agent: usize) -> bool {
    let node = states[0].agents[agent].node;
    states.iter().all(|state| {
        let elsewhere = state.agents[agent].node != node;
        let told_no = machine.passes(state, agent, node) == Some(false);
        told_no || !elsewhere && machine.ways(state, agent) == 0
    })
}

/// Why an agent is blocked: what it sees, who could still arrive, and why nobody will.
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    let state = replay.state();
    let who = scene.agent_name(agent);
    let action = replay.machine.node(state, agent).and_then(action_of);
    let object = acts_on(&replay.machine, state, agent);
    let name = object.map(|object| object_name(scene, &replay.machine, object)).unwrap_or_default();
    match (object, action) {
        (Some(Object::Mbarrier(index)), Some(Action::Wait { asked, .. })) => {
            let asked = match asked {
                Asked::Parity(parity) => format!("parity {}", parity & 1),
                Asked::Token(_) => "the phase of its token".to_owned(),
            };
            format!(
                "{who} waits on {name} for {asked}: {}. {}",
                counts(state.mbarriers[index]),
                arrivals(scene, replay, index, agent)
            )
        }
        (Some(Object::Bar(index)), _) => {
            let bar = state.bars[index];
            let gathering = state.agents[agent].held == Held::Gathering;
            if gathering {
                return format!("{who} waits at {name} for the other lanes of its warp.");
            }
            let threads = bar.threads.unwrap_or(0);
            format!(
                "{who} is blocked at {name}: {} of {threads} threads have arrived.",
                bar.arrived
            )
        }
        (_, Some(Action::ClusterWait { .. })) => {
            format!(
                "{who} waits at the cluster barrier: not every thread of the cluster has arrived."
            )
        }
        _ => format!("{who} is blocked."),
    }
}

/// Who could still arrive at an object.
fn arrivals(scene: &Scene, replay: &Replay, object: usize, waiting: usize) -> String {
    let state = replay.state();
    let machine = &replay.machine;
    let arrives = |agent: usize| {
        reachable(machine, agent, state.agents[agent].node).into_iter().any(|node| {
            let action = action_of(&machine.context.program.body_of(agent).nodes[node as usize]);
            let counts = matches!(
                action,
                Some(
                    Action::Arrive { .. }
                        | Action::Complete { .. }
                        | Action::Copy { .. }
                        | Action::CopyArrive { .. }
                )
            );
            let name = action.and_then(Action::name).and_then(|name| machine.object(agent, name));
            counts && name.is_some_and(|(index, _)| index == object)
        })
    };
    let able: Vec<usize> = (0..state.agents.len())
        .filter(|&agent| !state.agents[agent].ended && arrives(agent))
        .collect();
    let others: Vec<String> = able
        .iter()
        .filter(|&&agent| agent != waiting)
        .map(|&agent| scene.agent_name(agent).to_owned())
        .collect();
    let mut parts = Vec::new();
    match &others[..] {
        [] => {}
        [one] => parts.push(format!("{one} would arrive later, but is blocked too.")),
        _ => parts.push(format!("{} would arrive later, but are blocked too.", list(&others))),
    }
    if able.contains(&waiting) {
        parts.push(format!(
            "{} would arrive itself only after this wait.",
            scene.agent_name(waiting)
        ));
    }
    if parts.is_empty() {
        parts.push("No agent has an arrive left for it.".to_owned());
    }
    parts.join(" ")
}

/// The nodes that can be reached from one.
fn reachable(machine: &Machine, agent: usize, node: u32) -> alloc::collections::BTreeSet<u32> {
    let nodes = &machine.context.program.body_of(agent).nodes;
    let mut seen = alloc::collections::BTreeSet::new();
    let mut stack = alloc::vec![node];
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            stack.extend(tidegate_model::reach::successors(&nodes[node as usize]));
        }
    }
    seen
}
