//! The missing order between two accesses of agents: an arrive after the first, a wait before the second, or a release and
//! acquire.

use super::unheard;
use crate::cause::PtxRace;
use crate::cause::ptx::Phase;
use crate::nvidia::coming::reachable;
use crate::nvidia::replay::{
    Done, Object, Replay, act, done_action, node_action, object_name, object_of,
};
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Scope;
use tidegate_model::operation::{Alike, Operation};
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Bar};
use tidegate_model::ptx::cluster::arrive_once::Standing;

/// Why the last access is not ordered after an earlier one, and the help.
pub(super) struct Between {
    pub(super) facts: Vec<PtxRace>,
    pub(super) help: String,
}

/// Examines the steps between the earlier access and the last one.
pub(super) fn look(scene: &Scene, replay: &Replay, earlier: usize) -> Option<Between> {
    let last = replay.done.len().checked_sub(1)?;
    let steps = [earlier, last];
    let [agent, waiter] = steps.map(|step| replay.done[step].step.agent);
    if let Some(narrow) = narrow(replay, steps) {
        let operation = act(&replay.done[narrow]);
        let facts = Vec::from([PtxRace::ScopeOfCta { operation }]);
        return Some(Between { facts, help: help::ptx::widen_access(scene, operation) });
    }
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
        let (why, help) = unheard::look(scene, replay, steps, pair);
        let [arrive, wait] = pair.map(|step| act(&replay.done[step]));
        let phase = phase_of(scene, replay, pair[0])?;
        let observed = PtxRace::NoSynchronization { wait, phase, arrive };
        return Some(Between { facts: Vec::from([observed, why]), help });
    }
    Some(not_waited_for(scene, replay, steps, arrive, of(waiter)))
}

/// If both accesses are atomic, the one whose scope is its own CTA.
fn narrow(replay: &Replay, steps: [usize; 2]) -> Option<usize> {
    let scope = |step: usize| {
        let done = &replay.done[step];
        let nodes = &replay.machine.context.program.body_of(done.step.agent).nodes;
        match nodes.get(done.node as usize)? {
            Node::Operation {
                operation: Operation { alike: Alike::Atomic(reach), .. }, ..
            } => Some(reach.scope),
            _ => None,
        }
    };
    let [earlier, last] = [scope(steps[0])?, scope(steps[1])?];
    let of_cta = [(last, steps[1]), (earlier, steps[0])];
    of_cta.into_iter().find(|(scope, _)| *scope == Scope::Workgroup).map(|(_, step)| step)
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
    let (agent, waiter) = (first.step.agent, here.step.agent);
    let (operation, access) = (act(&replay.done[arrive]), act(here));
    let Some(phase) = phase_of(scene, replay, arrive) else {
        return Between { facts: Vec::new(), help: String::new() };
    };
    let help = help::ptx::wait_for_phase(scene, waiter, &phase, access);
    let arrives = PtxRace::ArrivesAfter { operation, phase, agent };
    let not_awaited = PtxRace::NotAwaited { agent: waiter, access };
    Between { facts: [arrives, not_awaited].into_iter().chain(instead).collect(), help }
}

/// The phase of an arrival.
fn phase_of(scene: &Scene, replay: &Replay, arrive: usize) -> Option<Phase> {
    let note = &replay.done[arrive].note;
    let of = note.object?;
    let object = object_name(scene, &replay.machine, of);
    let phases = note.phase.is_some() || matches!(of, Object::Cluster(_));
    Some(Phase { object, number: note.phase, phases })
}

/// The first agent arrives only later, or never.
fn not_yet(scene: &Scene, replay: &Replay, [first, last]: [&Done; 2]) -> Between {
    let acts = [first, last].map(act);
    let agents = [first, last].map(|done| done.step.agent);
    let [agent, waiter] = agents;
    let stands = replay.state().agents[agent].node;
    let arrives = |node: &u32| node_action(&replay.machine, agent, *node).is_some_and(is_arrive);
    let Some(coming) = reachable(&replay.machine, agent, stands).into_iter().find(arrives) else {
        let near = replay.machine.cta(agent) == replay.machine.cta(waiter);
        let help = match common_code(scene, replay, [first, last]) {
            Some(true) => help::ptx::add_barrier(scene, [acts[1], acts[0]], agents, near),
            Some(false) => help::ptx::add_barrier(scene, acts, agents, near),
            None => help::ptx::arrive_after(scene, acts, agents, near),
        };
        return Between { facts: Vec::from([PtxRace::NoArrive { agent, access: acts[0] }]), help };
    };
    let object = node_action(&replay.machine, agent, coming)
        .and_then(|action| object_of(&replay.machine, agent, action));
    let waited = replay.done[..replay.done.len() - 1].iter().rev().find(|done| {
        let own = done.note.copy.is_none() && done.step.agent == waiter;
        own && done.note.object == object && takes(replay, done)
    });
    let instead = waited.map(|wait| returned(scene, replay, wait));
    let operation = (agent, coming);
    let later = PtxRace::Later { agent, operation };
    Between {
        facts: [later].into_iter().chain(instead).collect(),
        help: help::ptx::wait_for_arrive(scene, waiter, operation, acts[1]),
    }
}

/// For accesses in code that both agents run: whether the first one is after the second one in the text. Then the intended
/// order is the reverse.
fn common_code(scene: &Scene, replay: &Replay, [first, last]: [&Done; 2]) -> Option<bool> {
    let agent = first.step.agent;
    let [there, here] = [first, last].map(|done| scene.source(done.step.agent, done.node).span);
    let begin = replay.states.first().map_or(0, |state| state.agents[agent].node);
    let is_here = |node: u32| scene.source(agent, node).span == here;
    let is_common = reachable(&replay.machine, agent, begin).into_iter().any(is_here);
    is_common.then_some(there.start > here.start)
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

fn returned(scene: &Scene, replay: &Replay, done: &Done) -> PtxRace {
    let wait = act(done);
    match (done.note.object, done.note.phase) {
        (Some(Object::Mbarrier(_)), Some(_)) if !done.note.returned => {
            PtxRace::ReturnedFalse { wait }
        }
        (Some(Object::Mbarrier(_)), Some(0)) => PtxRace::ReturnedFirst { wait },
        (Some(Object::Mbarrier(_)), Some(running)) => {
            PtxRace::ReturnedOn { wait, phase: running - 1 }
        }
        (Some(object @ Object::Cluster(_)), _) => {
            PtxRace::OtherPhase { wait, object: object_name(scene, &replay.machine, object) }
        }
        _ => PtxRace::OtherGeneration { wait },
    }
}
