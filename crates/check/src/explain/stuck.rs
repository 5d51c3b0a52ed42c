//! A wait that never completes: who waits for what, who has not arrived, and what would let the phase complete.

use super::coming::{Coming, NOBODY};
use super::missing::Missing;
use super::{Told, join_for, joined_sentence, list, names, not_joined, operation, operations};
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
    let over = left().count() == stuck.len();
    let standing: Vec<(usize, u32)> =
        stuck.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let verb = if stuck.len() == 1 { "never completes" } else { "never complete" };
    let mut because = told(scene, replay, &stuck);
    let waited_on = together(&stuck, |agent| waited(&replay.machine, state, agent));
    let alone = waited_on.len() == 1;
    // A wait without a join is undefined even where it passes: only the join helps.
    let bare = without_join(scene, replay);
    let missing: Vec<Missing> = waited_on
        .into_iter()
        .filter_map(|(instance, agents)| Missing::of(replay, instance?, &agents))
        .collect();
    because.extend(missing.iter().map(|missing| missing.said(scene)));
    let end = match missing.as_slice() {
        _ if !over => "whoever goes on does so for ever".to_owned(),
        [missing] if alone => {
            missing.brief(scene).unwrap_or_else(|| "no agent can go on".to_owned())
        }
        _ => "no agent can go on".to_owned(),
    };
    Told {
        message: format!("{} {verb}: {end}.", list(&operations(scene, &standing))),
        because,
        agent: stuck.first().copied(),
        node: stuck.first().map(|&agent| state.agents[agent].node),
        remedy: match &bare {
            Some(bare) => bare.remedy.clone(),
            None => missing.iter().find_map(|missing| missing.remedy(scene, replay)),
        },
        ..Told::default()
    }
}

/// Tells the first blocked wait on a named barrier that its agent has not joined, if there is one where an execution ends.
pub(super) fn without_join(scene: &Scene, replay: &Replay) -> Option<Told> {
    let (spec, state) = (&replay.machine, replay.state());
    let bare = |agent: usize| {
        let blocked = state.stop.is_none() && spec.ways(state, agent) == 0;
        Some((agent, spec.waits_without_join(state, agent).filter(|_| blocked)?))
    };
    let (agent, instance) = (0..state.agents.len()).find_map(bare)?;
    let (node, who) = (state.agents[agent].node, scene.agent_name(agent));
    let joined = joined_sentence(scene, state.agents[agent].joined, who);
    let remedy = join_for(scene, agent, node, &scene.instance_name(instance));
    Some(Told {
        message: not_joined(&operation(scene, agent, node), who),
        because: alloc::vec![joined, blocked(scene, replay, agent)],
        agent: Some(agent),
        node: Some(node),
        remedy,
        ..Told::default()
    })
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

/// Why the waits of one agent or of several that wait alike do not pass.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Why {
    /// The object that is waited on.
    instance: InstanceId,
    /// The object that the wait names, where that is another.
    led: Option<InstanceId>,
    /// Why no completed phase is left, where there are any.
    spent: Option<Spent>,
}

/// Why no completed phase is left for a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spent {
    /// Phase separation keeps it from them.
    Barred,
    /// Earlier waits have used some, and phase separation keeps it from the others.
    Starved,
    /// Earlier waits have used them.
    Used,
}

/// Why a wait of an agent is blocked; `None` where it waits on nothing that could be completed.
fn why(replay: &Replay, agent: usize) -> Option<Why> {
    let (spec, state) = (&replay.machine, replay.state());
    let instance = waited(spec, state, agent)?;
    let object = &state.objects[usize::from(instance)];
    if !object.barrier.initialised {
        return Some(Why { instance, led: None, spent: None });
    }
    let named = spec.context.instances.at(agent, state.agents[agent].node);
    let spent = (object.completed > 0).then(|| spent(replay, agent, instance));
    Some(Why { instance, led: (named != instance).then_some(named), spent })
}

/// Agents that wait, those that wait alike in one sentence each: what they see, who could still arrive, and why nobody
/// will.
fn told(scene: &Scene, replay: &Replay, agents: &[usize]) -> Vec<String> {
    let kinds = together(agents, |agent| why(replay, agent)).into_iter();
    kinds.map(|(why, agents)| sentence(scene, replay, &agents, why)).collect()
}

/// Why a wait is blocked.
#[must_use]
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    sentence(scene, replay, &[agent], why(replay, agent))
}

/// Why the first of some waits is blocked, and those that are blocked like it.
pub(crate) fn blocked_alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Option<String> {
    told(scene, replay, agents).into_iter().next()
}

fn sentence(scene: &Scene, replay: &Replay, agents: &[usize], why: Option<Why>) -> String {
    let many = agents.len() > 1;
    let who = format!("{} {}", names(scene, agents), if many { "wait" } else { "waits" });
    let Some(Why { instance, led, spent }) = why else {
        return format!("{who} on an object that nothing can complete.");
    };
    let name = scene.instance_name(instance);
    let object = &replay.state().objects[usize::from(instance)];
    if !object.barrier.initialised {
        return format!("{who} on {name}, which is not initialised.");
    }
    let led = led.map(|named| match (scene.instance_name(named), many) {
        (named, false) => format!(", which it joined last, though the wait names {named}"),
        (named, true) => format!(", which they joined last, though the waits name {named}"),
    });
    let used = spent.map(|spent| {
        let over = match object.completed {
            1 => "phase 1 is".to_owned(),
            count => format!("phases 1 to {count} are"),
        };
        let to = if many { "them" } else { "it" };
        format!("; {over} no longer open to {to}, because {}", spent.said(many))
    });
    format!(
        "{who} on {name}{}: phase {} has {} of {} arrivals{}. {}",
        led.unwrap_or_default(),
        object.completed + 1,
        object.barrier.arrived,
        object.barrier.expected,
        used.unwrap_or_default(),
        arrivals(scene, replay, instance, agents)
    )
}

impl Spent {
    const fn said(self, many: bool) -> &'static str {
        match (self, many) {
            (Self::Barred, false) => {
                "another phase stands between it and this wait (phase separation)"
            }
            (Self::Barred, true) => {
                "another phase stands between it and these waits (phase separation)"
            }
            (Self::Starved, false) => {
                "its earlier waits have used some of them, and phase separation keeps it from the others"
            }
            (Self::Starved, true) => {
                "their earlier waits have used some of them, and phase separation keeps them from the others"
            }
            (Self::Used, false) => "its earlier waits have used what it could depend on",
            (Self::Used, true) => "their earlier waits have used what they could depend on",
        }
    }
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
fn spent(replay: &Replay, agent: usize, instance: InstanceId) -> Spent {
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
        Spent::Barred
    } else if fewer() {
        Spent::Starved
    } else {
        Spent::Used
    }
}

fn arrivals(scene: &Scene, replay: &Replay, instance: InstanceId, waiting: &[usize]) -> String {
    let (spec, state) = (&replay.machine, replay.state());
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
    fn many_that_wait_alike_are_told_in_one_sentence() {
        let text = "target model\nlaunch waves=32\nwave * {\n  for i in 0..2 {\n\
            if i > 0 || wave_id != 19 { arrive wg }\n    wait wg\n  }\n}\n";
        assert_eq!(
            crate::testing::said(text),
            [
                "`wait wg` of wave 0 to wave 31 (line 6) never complete: wave 19 waits without having arrived.",
                "wave 0 to wave 31 wait on wg: phase 1 has 31 of 32 arrivals. wave 0 to wave 31 would arrive only after these waits.",
                "In phase 1 of wg wave 0 to wave 18 and wave 20 to wave 31 arrived; wave 19 waits for it without having arrived.",
            ]
        );
    }

    #[test]
    fn those_that_wait_on_other_objects_are_told_apart() {
        let text = "target model\nlaunch waves=4\nbarrier a\nbarrier b\n\
            wave 0 { init a, 2; init b, 2; arrive wg; wait wg\n arrive a; wait a; arrive b }\n\
            wave 1 { arrive wg; wait wg\n wait a }\n\
            wave 2-3 { arrive wg; wait wg\n wait b; arrive a }\n";
        let said = crate::testing::said(text);
        assert_eq!(
            said[2..4],
            [
                "wave 0 and wave 1 wait on a: phase 1 has 1 of 2 arrivals. wave 2 and wave 3 would arrive later, but are blocked too.",
                "wave 2 and wave 3 wait on b: phase 1 has 0 of 2 arrivals. wave 0 would arrive later, but is blocked too.",
            ],
            "{said:?}"
        );
    }

    #[test]
    fn earlier_waits_of_several_are_theirs() {
        let said = crate::testing::said(
            "target model\nlaunch waves=2\nwave * { arrive wg; wait wg; wait wg }\n",
        );
        assert_eq!(
            said[2],
            "wave 0 and wave 1 wait on wg: phase 2 has 0 of 2 arrivals; phase 1 is no longer open to them, because their earlier waits have used what they could depend on. No agent has an arrive left for it."
        );
    }

    #[test]
    fn what_is_alike_is_told_together() {
        assert_eq!(
            together(&[0, 1, 2, 3], |agent| agent % 2),
            [(0, Vec::from([0, 2])), (1, Vec::from([1, 3]))]
        );
    }
}
