//! A wait that never completes: who waits for what, who has not arrived, and what would let the phase complete.

use super::coming::{Coming, NOBODY};
use super::missing::Missing;
use super::{Told, list, operations};
use crate::replay::amdgpu::Replay;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reach::instance_bit;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;

/// Tells the waits that are blocked at the end of an execution.
pub(super) fn tell(scene: &Scene, replay: &Replay) -> Told {
    let state = replay.state();
    let left = || (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended);
    let stuck: Vec<usize> =
        left().filter(|&agent| replay.machine.ways(state, agent) == 0).collect();
    let end = if left().count() == stuck.len() {
        "no agent can go on"
    } else {
        "whoever goes on does so for ever"
    };
    let standing: Vec<(usize, u32)> =
        stuck.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let verb = if stuck.len() == 1 { "never completes" } else { "never complete" };
    let mut because: Vec<String> = together(&stuck, |agent| why(scene, replay, agent))
        .iter()
        .map(|(why, agents)| {
            let verb = if agents.len() == 1 { "waits" } else { "wait" };
            format!("{} {verb} on {why}", names(scene, agents))
        })
        .collect();
    let missing: Vec<Missing> = together(&stuck, |agent| waited(&replay.machine, state, agent))
        .into_iter()
        .filter_map(|(instance, agents)| Missing::of(replay, instance?, &agents))
        .collect();
    because.extend(missing.iter().map(|missing| missing.said(scene)));
    Told {
        message: format!("{} {verb}: {end}.", list(&operations(scene, &standing))),
        because,
        agent: stuck.first().copied(),
        node: stuck.first().map(|&agent| state.agents[agent].node),
        remedy: missing.iter().find_map(|missing| missing.remedy(scene, replay)),
        offers: missing.iter().flat_map(|missing| missing.offers(scene, replay)).collect(),
        ..Told::default()
    }
}

/// Agents with what they have in common, in the order of the first of each kind.
pub(crate) fn together<K: PartialEq>(
    agents: &[usize],
    of: impl Fn(usize) -> K,
) -> Vec<(K, Vec<usize>)> {
    let mut kinds: Vec<(K, Vec<usize>)> = Vec::new();
    for &agent in agents {
        let kind = of(agent);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, agents)) => agents.push(agent),
            None => kinds.push((kind, alloc::vec![agent])),
        }
    }
    kinds
}

/// Up to how many agents each is named by itself, though their numbers follow each other.
const NAMED: usize = 4;

/// Agents by their names, many whose numbers follow each other together: "wave 0 and wave 2 to wave 31".
pub(crate) fn names(scene: &Scene, agents: &[usize]) -> String {
    let name = |agent: usize| scene.agent_name(agent).to_owned();
    let mut named = Vec::new();
    for run in agents.chunk_by(|one, next| one + 1 == *next) {
        match run {
            [first, .., last] if run.len() > NAMED => {
                named.push(format!("{} to {}", name(*first), name(*last)));
            }
            run => named.extend(run.iter().map(|&agent| name(agent))),
        }
    }
    list(&named)
}

/// Why a wait is blocked: what it sees, who could still arrive, and why nobody will.
#[must_use]
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    format!("{} waits on {}", scene.agent_name(agent), why(scene, replay, agent))
}

/// The object that an agent waits on, and why the wait does not pass.
fn why(scene: &Scene, replay: &Replay, agent: usize) -> String {
    let (spec, state) = (&replay.machine, replay.state());
    let Some(instance) = waited(spec, state, agent) else {
        return "an object that nothing can complete.".to_owned();
    };
    let name = scene.instance_name(instance);
    let object = &state.objects[usize::from(instance)];
    if !object.barrier.initialised {
        return format!("{name}, which is not initialised.");
    }
    let phase = object.completed + 1;
    let used = match object.completed {
        0 => String::new(),
        1 => {
            format!("; phase 1 is no longer open to it, because {}", spent(replay, agent, instance))
        }
        count => format!(
            "; phases 1 to {count} are no longer open to it, because {}",
            spent(replay, agent, instance)
        ),
    };
    format!(
        "{name}{}: phase {phase} has {} of {} arrivals{used}. {}",
        led(scene, replay, agent, instance),
        object.barrier.arrived,
        object.barrier.expected,
        arrivals(scene, spec, state, instance, agent)
    )
}

/// Where a wait is on another object than it names: on the one that its agent joined last.
fn led(scene: &Scene, replay: &Replay, agent: usize, instance: InstanceId) -> String {
    let node = replay.state().agents[agent].node;
    let named = replay.machine.context.instances.at(agent, node);
    if named == instance {
        return String::new();
    }
    let named = scene.instance_name(named);
    format!(", which it joined last, though the wait names {named}")
}

fn waited(spec: &Spec, state: &State, agent: usize) -> Option<InstanceId> {
    let Some(Node::Operation { operation, .. }) = spec.node(state, agent) else { return None };
    let Action::Wait { object } = operation.action else { return None };
    match spec.waits_on(state, agent, object) {
        tidegate_model::spec::step::WaitsOn::Instance(id)
            if usize::from(id) < state.objects.len() =>
        {
            Some(id)
        }
        _ => None,
    }
}

/// Why no completed phase is left for a wait: its agent has passed as many waits as there are phases, or phase separation
/// keeps it from some. Phases that nobody can depend on any more are forgotten, so waits are counted.
fn spent(replay: &Replay, agent: usize, instance: InstanceId) -> &'static str {
    let state = replay.state();
    let fewer = || {
        let passed = replay.done.iter().filter(|done| {
            let own = done.step.agent == agent && done.note.instance == Some(instance);
            own && matches!(replay.action(done), Some(Action::Wait { .. }))
        });
        passed.count() < state.objects[usize::from(instance)].completed as usize
    };
    let of = state.slots_of(instance);
    let barred = state.choices.iter().any(|choice| {
        of & (choice.forbidden | choice.agents[agent].known.dead) & !choice.agents[agent].used != 0
    });
    if barred {
        "another phase stands between it and this wait (phase separation)"
    } else if fewer() {
        "its earlier waits have used some of them, and phase separation keeps it from the others"
    } else {
        "its earlier waits have used what it could depend on"
    }
}

fn arrivals(
    scene: &Scene,
    spec: &Spec,
    state: &State,
    instance: InstanceId,
    waiting: usize,
) -> String {
    let bit = instance_bit(instance);
    let can = |agent: &usize| {
        let at = state.agents[*agent];
        !at.ended && spec.context.reaches.from(*agent, at.node).arrives & bit != 0
    };
    let able: Vec<usize> = (0..state.agents.len()).filter(can).collect();
    let coming = Coming::of(&able, waiting, |agent| spec.ways(state, agent) > 0);
    if coming.is_nobody() { NOBODY.to_owned() } else { coming.said(scene, None).join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_on_another_object_than_it_names_says_so() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier a = named(1)\nbarrier b = named(2)\n\
            wave 0 { init a, 2; init b, 2; arrive wg; wait wg\n join a; join b; arrive a; wait a }\n\
            wave 1 { arrive wg; wait wg\n join a; arrive a; wait a }\n";
        let scene = Scene::new("x.tide", text);
        let report = crate::check(&scene, &crate::Options::default(), &mut |_| true);
        let said = report.findings[0].because.join(" ");
        assert!(said.contains("wave 0 waits on b, which it joined last, though the wait names a: phase 1 has 0 of 2"), "{said}");
        let right = text.replace("join a; join b", "join b; join a");
        let report =
            crate::check(&Scene::new("x.tide", &right), &crate::Options::default(), &mut |_| true);
        assert_eq!(report.verdict, "ok");
    }

    #[test]
    fn what_is_alike_is_told_together() {
        assert_eq!(
            together(&[0, 1, 2, 3], |agent| agent % 2),
            [(0, Vec::from([0, 2])), (1, Vec::from([1, 3]))]
        );
    }
}
