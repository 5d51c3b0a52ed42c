//! The missing order between two accesses of agents: an arrive after the first, a wait before the second, or a release and
//! acquire.

use super::unheard;
use crate::explain;
use crate::nvidia::replay::{
    Done, Object, Replay, done_action, named, node_action, object_of, told,
};
use crate::nvidia::stuck::reachable;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Action, Bar};
use tidegate_model::ptx::cluster::arrive_once::Standing;

/// Why the last access is not ordered after an earlier one, and the help.
pub(super) struct Between {
    pub(super) because: Vec<String>,
    pub(super) remedy: String,
}

/// Examines the steps between the earlier access and the last one.
pub(super) fn look(scene: &Scene, replay: &Replay, earlier: usize) -> Option<Between> {
    let last = replay.done.len().checked_sub(1)?;
    let steps = [earlier, last];
    let [agent, waiter] = steps.map(|step| replay.done[step].step.agent);
    let of = |agent: usize| {
        let own = move |&step: &usize| {
            let done = &replay.done[step];
            done.note.copy.is_none() && done.step.agent == agent
        };
        (earlier + 1..last).filter(own)
    };
    let mut arrives = of(agent).filter(|&step| hands_over(replay, &replay.done[step]));
    let Some(arrive) = arrives.clone().next() else {
        return Some(not_yet(scene, replay, steps.map(|step| &replay.done[step])));
    };
    let meets = |arrive: usize| {
        let mut waits = of(waiter).filter(|&wait| observes(replay, wait, arrive));
        waits.next().map(|wait| [arrive, wait])
    };
    if let Some(pair) = arrives.find_map(meets) {
        let why = unheard::look(scene, replay, steps, pair);
        let [arrival, wait] = pair.map(|step| told(scene, &replay.done[step]));
        let what = phase_of(scene, replay, pair[0])?;
        return Some(Between {
            because: [
                Vec::from([format!(
                    "{wait} observes {what}, in which {arrival} arrives, but the two do not synchronize"
                )]),
                why.because,
            ]
            .concat(),
            remedy: why.remedy,
        });
    }
    Some(not_waited_for(scene, replay, steps, arrive, of(waiter)))
}

/// The second agent has not waited for the arrive of the first one.
fn not_waited_for(
    scene: &Scene,
    replay: &Replay,
    [earlier, last]: [usize; 2],
    arrive: usize,
    waits: impl Iterator<Item = usize>,
) -> Between {
    let [first, here] = [earlier, last].map(|step| &replay.done[step]);
    let object = replay.done[arrive].note.object;
    let took = |&wait: &usize| {
        let done = &replay.done[wait];
        done.note.object == object && takes(replay, done)
    };
    let instead = waits.filter(took).last().map(|wait| &replay.done[wait]);
    let instead = instead.map(|wait| returned(scene, replay, wait));
    let (who, waiter) = (scene.agent_name(first.step.agent), scene.agent_name(here.step.agent));
    let what = phase_of(scene, replay, arrive).unwrap_or_default();
    let (arrival, here) = (told(scene, &replay.done[arrive]), told(scene, here));
    Between {
        because: [
            format!("{arrival} arrives in {what} after the access of {who}"),
            format!("{waiter} does not wait for that phase before {here}"),
        ]
        .into_iter()
        .chain(instead)
        .collect(),
        remedy: format!("make {waiter} wait for {what} before {here}"),
    }
}

/// Names the phase of an arrival.
fn phase_of(scene: &Scene, replay: &Replay, arrive: usize) -> Option<String> {
    let note = &replay.done[arrive].note;
    let name = named(scene, &replay.machine, note.object?);
    Some(match note.phase {
        Some(phase) => format!("phase {phase} of {name}"),
        None if matches!(note.object, Some(Object::Cluster(_))) => format!("the phase of {name}"),
        None => format!("this generation of {name}"),
    })
}

/// The first agent arrives only later, or never.
fn not_yet(scene: &Scene, replay: &Replay, [first, last]: [&Done; 2]) -> Between {
    let [there, here] = [first, last].map(|done| told(scene, done));
    let (agent, who) = (first.step.agent, scene.agent_name(first.step.agent));
    let waiter = scene.agent_name(last.step.agent);
    let stands = replay.state().agents[agent].node;
    let arrives = |node: &u32| node_action(&replay.machine, agent, *node).is_some_and(is_arrive);
    let coming = reachable(&replay.machine, agent, stands).into_iter().find(arrives);
    let Some(coming) = coming else {
        let remedy = if is_against_the_text(scene, replay, [first, last]) {
            format!("add a barrier between {here} and {there} that both {who} and {waiter} execute")
        } else {
            format!(
                "make {who} arrive after {there}, and {waiter} wait for that phase before {here}"
            )
        };
        return Between {
            because: Vec::from([format!("{who} has no arrive after {there}")]),
            remedy,
        };
    };
    let arrival = explain::operation(scene, agent, coming);
    let object = node_action(&replay.machine, agent, coming)
        .and_then(|action| object_of(&replay.machine, agent, action));
    let waited = replay.done[..replay.done.len() - 1].iter().rev().find(|done| {
        let own = done.note.copy.is_none() && done.step.agent == last.step.agent;
        own && done.note.object == object && takes(replay, done)
    });
    let instead = waited.map(|wait| returned(scene, replay, wait));
    let late = format!("{who} reaches {arrival} only after that");
    Between {
        because: [late].into_iter().chain(instead).collect(),
        remedy: format!("make {waiter} wait for the phase of {arrival} before {here}"),
    }
}

/// Whether the first of two accesses is after the second one in code that both agents run. Then the intended order is the
/// reverse.
fn is_against_the_text(scene: &Scene, replay: &Replay, [first, last]: [&Done; 2]) -> bool {
    let agent = first.step.agent;
    let [there, here] = [first, last].map(|done| scene.source(done.step.agent, done.node).span);
    let begin = replay.states.first().map_or(0, |state| state.agents[agent].node);
    let is_here = |node: u32| scene.source(agent, node).span == here;
    there.start > here.start && reachable(&replay.machine, agent, begin).into_iter().any(is_here)
}

/// Whether an operation releases earlier accesses of its agent to an object.
fn is_arrive(action: Action) -> bool {
    matches!(
        action,
        Action::Arrive { .. }
            | Action::Bar { .. }
            | Action::ClusterArrive { .. }
            | Action::WarpSync { .. }
    )
}

fn hands_over(replay: &Replay, done: &Done) -> bool {
    done.note.object.is_some() && done_action(&replay.machine, done).is_some_and(is_arrive)
}

/// Whether a step acquires from an object.
fn takes(replay: &Replay, done: &Done) -> bool {
    match done_action(&replay.machine, done) {
        Some(Action::Wait { .. } | Action::ClusterWait { .. } | Action::WarpSync { .. }) => true,
        Some(Action::Bar { kind, .. }) => kind != Bar::Arrive,
        _ => false,
    }
}

/// Whether a wait returned after the phase of an arrival.
fn observes(replay: &Replay, wait: usize, arrive: usize) -> bool {
    let [waited, arrived] = [wait, arrive].map(|step| &replay.done[step]);
    if waited.note.object != arrived.note.object || !takes(replay, waited) {
        return false;
    }
    match (waited.note.phase, arrived.note.phase) {
        (Some(running), Some(phase)) => waited.note.returned && running > phase,
        _ => {
            let agent = arrived.step.agent;
            let released =
                |step: usize| replay.states[step].agents[agent].cluster == Standing::Released;
            matches!(waited.note.object, Some(Object::Cluster(_)))
                && (arrive + 1..=wait).any(released)
        }
    }
}

fn returned(scene: &Scene, replay: &Replay, wait: &Done) -> String {
    let what = told(scene, wait);
    match (wait.note.object, wait.note.phase) {
        (Some(Object::Mbarrier(_)), Some(_)) if !wait.note.returned => {
            format!("{what} returned false")
        }
        (Some(Object::Mbarrier(_)), Some(0)) => {
            format!("{what} returned before any phase was complete")
        }
        (Some(Object::Mbarrier(_)), Some(running)) => {
            format!("{what} returned on phase {}", running - 1)
        }
        (Some(object @ Object::Cluster(_)), _) => {
            format!(
                "{what} participated in another phase of {}",
                named(scene, &replay.machine, object)
            )
        }
        _ => format!("{what} participated in another generation"),
    }
}
