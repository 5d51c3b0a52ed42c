//! What is missing between two accesses of agents that nothing orders: an arrive behind the one, a wait before the other,
//! or what the two hand over.

use crate::explain;
use crate::nvidia::replay::{Done, Object, Replay, object_name, object_of};
use crate::nvidia::stuck::reachable;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use tidegate_model::ptx::action::{Action, Bar};
use tidegate_model::ptx::machine::action_of;

/// Why the last access is not ordered behind an earlier one, and what would order it.
pub(super) struct Between {
    pub(super) because: String,
    pub(super) remedy: String,
}

/// Looks between the step that made the earlier access and the last one.
pub(super) fn look(scene: &Scene, replay: &Replay, earlier: usize) -> Option<Between> {
    let [first, last] = [replay.done.get(earlier)?, replay.done.last()?];
    let here = explain::operation(scene, last.step.agent, last.node);
    let behind = &replay.done[earlier + 1..replay.done.len() - 1];
    let of = |agent: usize| {
        let own = move |done: &&Done| done.note.copy.is_none() && done.step.agent == agent;
        behind.iter().filter(own)
    };
    let who = scene.agent_name(first.step.agent);
    let Some(arrive) = of(first.step.agent).find(|done| hands_over(replay, done)) else {
        return Some(not_yet(scene, replay, [first, last]));
    };
    let object = arrive.note.object?;
    let name = object_name(scene, &replay.machine, object);
    let arrival = explain::operation(scene, arrive.step.agent, arrive.node);
    let waiter = scene.agent_name(last.step.agent);
    let what = match arrive.note.phase {
        Some(phase) => format!("phase {phase} of {name}"),
        None => format!("this generation of {name}"),
    };
    let at_it = |done: &&Done| done.note.object == Some(object);
    let mut waits = of(last.step.agent).filter(at_it).filter(|done| takes(replay, done));
    if let Some(wait) = waits.clone().find(|wait| observes(wait, arrive)) {
        let wait = explain::operation(scene, wait.step.agent, wait.node);
        return Some(Between {
            because: format!(
                "{wait} observes {what}, which {arrival} arrives in, but the two do not synchronize: one is relaxed, or its scope leaves the other out."
            ),
            remedy: format!(
                "Let {arrival} release and {wait} acquire, with a scope that includes both agents."
            ),
        });
    }
    let instead = match waits.next_back() {
        Some(wait) => format!("; {}", returned(scene, wait)),
        None => String::new(),
    };
    Some(Between {
        because: format!(
            "{arrival} hands over what {who} did before it to {what}, and {waiter} does not wait for that phase before {here}{instead}."
        ),
        remedy: format!("Let {waiter} wait for {what} before {here}."),
    })
}

/// Where the first agent has not arrived since: it comes to that only afterwards, or never.
fn not_yet(scene: &Scene, replay: &Replay, [first, last]: [&Done; 2]) -> Between {
    let [there, here] =
        [first, last].map(|done| explain::operation(scene, done.step.agent, done.node));
    let (agent, who) = (first.step.agent, scene.agent_name(first.step.agent));
    let waiter = scene.agent_name(last.step.agent);
    let stands = replay.state().agents[agent].node;
    let arrives = |node: &u32| node_action(replay, agent, *node).is_some_and(is_arrive);
    let coming = reachable(&replay.machine, agent, stands).into_iter().find(arrives);
    let Some(coming) = coming else {
        return Between {
            because: format!("{who} arrives nowhere behind {there}, so nobody can wait for it."),
            remedy: format!(
                "Let {who} arrive behind {there}, and {waiter} wait for that phase before {here}."
            ),
        };
    };
    let arrival = explain::operation(scene, agent, coming);
    let object = node_action(replay, agent, coming)
        .and_then(|action| object_of(&replay.machine, agent, action));
    let waited = replay.done[..replay.done.len() - 1].iter().rev().find(|done| {
        let own = done.note.copy.is_none() && done.step.agent == last.step.agent;
        own && done.note.object == object && takes(replay, done)
    });
    let instead = waited.map_or_else(String::new, |wait| format!("; {}", returned(scene, wait)));
    Between {
        because: format!("{who} comes to {arrival} only after that{instead}."),
        remedy: format!("Let {waiter} wait for the phase that {arrival} arrives in before {here}."),
    }
}

fn node_action(replay: &Replay, agent: usize, node: u32) -> Option<Action> {
    action_of(&replay.machine.context.program.body_of(agent).nodes[node as usize])
}

fn action(replay: &Replay, done: &Done) -> Option<Action> {
    node_action(replay, done.step.agent, done.node)
}

/// Whether an operation hands over to an object what its agent did.
fn is_arrive(action: Action) -> bool {
    matches!(action, Action::Arrive { .. } | Action::Bar { .. })
}

fn hands_over(replay: &Replay, done: &Done) -> bool {
    done.note.object.is_some() && action(replay, done).is_some_and(is_arrive)
}

/// Whether a step takes what an object hands over.
fn takes(replay: &Replay, done: &Done) -> bool {
    match action(replay, done) {
        Some(Action::Wait { .. }) => true,
        Some(Action::Bar { kind, .. }) => kind != Bar::Arrive,
        _ => false,
    }
}

/// Whether a wait returned behind the phase of an arrival.
fn observes(wait: &Done, arrive: &Done) -> bool {
    match (wait.note.phase, arrive.note.phase) {
        (Some(running), Some(phase)) => running > phase,
        _ => false,
    }
}

fn returned(scene: &Scene, wait: &Done) -> String {
    let told = explain::operation(scene, wait.step.agent, wait.node);
    match (wait.note.object, wait.note.phase) {
        (Some(Object::Mbarrier(_)), Some(0)) => {
            format!("{told} returned before any phase was complete")
        }
        (Some(Object::Mbarrier(_)), Some(running)) => {
            format!("{told} returned on phase {}", running - 1)
        }
        _ => format!("{told} took part in another generation"),
    }
}
