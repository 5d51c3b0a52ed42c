//! Waits that never return: their objects, the missing arrivals, and the help.

use super::coming::Coming;
use super::missing::Missing;
use super::{join_for, joined};
use crate::cause::amd::Spent;
use crate::cause::{Amd, Cause, Common, Finding};
use crate::replay::amdgpu::Replay;
use crate::scene::Scene;
use crate::tell::help;
use crate::tell::names::together;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reach::instance_bit;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;

/// The waits that are blocked at the end of an execution.
pub(super) fn tell(scene: &Scene, replay: &Replay) -> Finding {
    let state = replay.state();
    let left = || (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended);
    let stuck: Vec<usize> =
        left().filter(|&agent| replay.machine.ways(state, agent) == 0).collect();
    let over = left().count() == stuck.len();
    let waits: Vec<(usize, u32)> =
        stuck.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let first = waits.first().copied();
    let waits = Cause::from(Common::NeverReturn { waits });
    let mut facts: Vec<Cause> = groups(scene, replay, &stuck).flatten().collect();
    let waited_on = together(&stuck, |agent| waited(&replay.machine, state, agent));
    let alone = waited_on.len() == 1;
    // A wait without a join is undefined even if it returns: only the join helps.
    let bare = without_join(scene, replay);
    let missing: Vec<Missing> = waited_on
        .into_iter()
        .filter_map(|(instance, agents)| Missing::of(replay, instance?, &agents))
        .collect();
    facts.extend(missing.iter().map(|missing| missing.fact(scene)));
    let known = match missing.as_slice() {
        [missing] if alone && over => missing.cause(scene),
        _ => None,
    };
    let end = match over {
        true => known.is_none().then_some(Common::NoAgent),
        false => Some(Common::Forever),
    };
    if known.is_some() {
        facts.insert(0, waits.clone());
    }
    facts.extend(end.map(Cause::from));
    let help = match bare {
        Some(bare) => bare.help,
        None => join_again(scene, replay, &stuck)
            .or_else(|| missing.iter().find_map(|missing| missing.remedy(scene, replay)))
            .or_else(|| break_circle(scene, replay, &stuck)),
    };
    Finding::new(known.unwrap_or(waits), facts, first).with_help(help)
}

/// The help for two agents that each wait for the first arrive of the other, which comes after its wait.
fn break_circle(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let (spec, state) = (&replay.machine, replay.state());
    let unused = |agent: usize| {
        let instance = waited(spec, state, agent)?;
        let object = &state.objects[usize::from(instance)];
        let is_unused = object.barrier.initialised
            && object.completed == 0
            && object.barrier.arrived == 0
            && object.barrier.expected == 1;
        is_unused.then_some(instance)
    };
    let arrives = |agent: usize, instance: InstanceId| {
        let reached = spec.context.reaches.from(agent, state.agents[agent].node);
        reached.arrives & instance_bit(instance) != 0
    };
    let mut pairs = stuck.iter().flat_map(|&one| stuck.iter().map(move |&other| [one, other]));
    pairs.find_map(|[one, other]| {
        let (first, second) = (unused(one)?, unused(other)?);
        (first != second && arrives(other, first) && arrives(one, second)).then(|| {
            let wait = |agent: usize| (agent, state.agents[agent].node);
            let names = [first, second].map(|it| scene.instance_name(it));
            help::amd::break_circle(scene, &names, [wait(other), wait(one)])
        })
    })
}

/// The help for the first of some blocked waits that names another object than its agent joined last.
fn join_again(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let mut led = stuck.iter().filter_map(|&agent| Some((agent, why(scene, replay, agent)?.led?)));
    let (agent, named) = led.next()?;
    let line = scene.source(agent, replay.state().agents[agent].node).span.line;
    Some(help::amd::join_again(&scene.instance_name(named), line))
}

/// The first blocked wait on a named barrier that its agent has not joined, at the end of an execution.
pub(super) fn without_join(scene: &Scene, replay: &Replay) -> Option<Finding> {
    let (spec, state) = (&replay.machine, replay.state());
    let bare = |agent: usize| {
        let blocked = state.stop.is_none() && spec.ways(state, agent) == 0;
        Some((agent, spec.waits_without_join(state, agent).filter(|_| blocked)?))
    };
    let (agent, instance) = (0..state.agents.len()).find_map(bare)?;
    let operation = (agent, state.agents[agent].node);
    let object = scene.instance_name(instance);
    let help = join_for(scene, operation, &object);
    let joined = joined(scene, state.agents[agent].joined, agent);
    let facts =
        [Vec::from([joined]), facts(scene, replay, &[agent], why(scene, replay, agent))].concat();
    let cause = Amd::WaitsUnjoined { operation, agent, object };
    Some(Finding::new(cause, facts, Some(operation)).with_help(help))
}

/// Why equal waits of agents are blocked.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Why {
    /// The object of the wait.
    instance: InstanceId,
    /// The object that the wait names, if it is another.
    led: Option<InstanceId>,
    /// Why no completed phase is available, if there is one.
    spent: Option<Spent>,
}

/// Why the wait of an agent is blocked; `None` if its object cannot complete a phase.
fn why(scene: &Scene, replay: &Replay, agent: usize) -> Option<Why> {
    let (spec, state) = (&replay.machine, replay.state());
    let instance = waited(spec, state, agent)?;
    let object = &state.objects[usize::from(instance)];
    if !object.barrier.initialised {
        return Some(Why { instance, led: None, spent: None });
    }
    let named = spec.context.instances.at(agent, state.agents[agent].node);
    let spent = (object.completed > 0).then(|| spent(replay, agent, instance));
    // Compilers write the same operand in every wait on a named barrier.
    let names_another = named != instance && !scene.is_compiled();
    Some(Why { instance, led: names_another.then_some(named), spent })
}

/// The facts of each group of agents with equal waits: the phase, the agents that can arrive, and why none will.
fn groups(scene: &Scene, replay: &Replay, agents: &[usize]) -> impl Iterator<Item = Vec<Cause>> {
    let kinds = together(agents, |agent| why(scene, replay, agent)).into_iter();
    kinds.map(|(why, agents)| facts(scene, replay, &agents, why))
}

/// Why a wait is blocked.
#[must_use]
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
    facts(scene, replay, &[agent], why(scene, replay, agent))
}

/// Why the first of some waits is blocked, together with the waits that are blocked in the same way.
pub(crate) fn blocked_alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Vec<Cause> {
    groups(scene, replay, agents).next().unwrap_or_default()
}

fn facts(scene: &Scene, replay: &Replay, waiting: &[usize], why: Option<Why>) -> Vec<Cause> {
    let agents = waiting.to_vec();
    let Some(Why { instance, led, spent }) = why else {
        return Vec::from([Amd::NoPhase { agents }.into()]);
    };
    let object = scene.instance_name(instance);
    let barrier = &replay.state().objects[usize::from(instance)];
    if !barrier.barrier.initialised {
        return Vec::from([Amd::WaitsUninitialised { agents, object }.into()]);
    }
    let (arrived, expected) = (barrier.barrier.arrived, barrier.barrier.expected);
    let (phase, several) = (barrier.completed + 1, waiting.len() > 1);
    let waits = Amd::WaitsForPhase { agents, object: object.clone(), phase, arrived, expected };
    let led =
        led.map(|named| Amd::NamesOther { named: scene.instance_name(named), object, several });
    let spent =
        spent.map(|why| Amd::Spent { agents: waiting.to_vec(), completed: barrier.completed, why });
    let own = [waits].into_iter().chain(led).chain(spent).map(Cause::from);
    own.chain(arrivals(replay, instance, waiting)).collect()
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

/// Why no completed phase is available for a wait: its agent has returned from as many waits as there are phases, or phase
/// separation excludes some. The state forgets phases that no wait can depend on, so waits are counted.
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

/// The agents that can still arrive.
fn arrivals(replay: &Replay, instance: InstanceId, waiting: &[usize]) -> Vec<Cause> {
    let (spec, state) = (&replay.machine, replay.state());
    let bit = instance_bit(instance);
    let can = |agent: &usize| {
        let at = state.agents[*agent];
        !at.ended && spec.context.reaches.from(*agent, at.node).arrives & bit != 0
    };
    let able: Vec<usize> = (0..state.agents.len()).filter(can).collect();
    let coming = Coming::of(&able, waiting, |agent| spec.ways(state, agent) > 0);
    match coming.is_nobody() {
        true => Vec::from([Common::Nobody.into()]),
        false => coming.facts(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_on_another_object_than_it_names_has_a_note() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier a = named(1)\nbarrier b = named(2)\n\
            wave 0 { init a, 2; init b, 2; arrive wg; wait wg\n join a; join b; arrive a; wait a }\n\
            wave 1 { arrive wg; wait wg\n join a; arrive a; wait a }\n";
        let scene = Scene::new("x.tide", text);
        let report = crate::check(&scene, &crate::Options::default(), &mut |_| true);
        let cause = &report.findings[0].cause;
        assert_eq!(cause.facts[0].object(), Some("b"));
        let other = cause.facts_of("wait-names-other").next().expect("the name of the other");
        assert_eq!((other.names("named"), other.object()), (&["a".into()][..], Some("b")));
        let right = text.replace("join a; join b", "join b; join a");
        let report =
            crate::check(&Scene::new("x.tide", &right), &crate::Options::default(), &mut |_| true);
        assert_eq!(report.verdict, "ok");
    }

    #[test]
    fn an_arrive_before_one_of_two_waits_breaks_a_circle() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier e = named(1)\nbarrier f = named(2)\nlds t[4]\n\
            wave 0 {\n init e, 1; init f, 1; join e; arrive wg; wait wg\n\
            for i in 0..2 { wait e; fence acquire; store t; fence release; arrive f }\n}\n\
            wave 1 {\n join f; arrive wg; wait wg\n\
            for i in 0..2 { wait f; fence acquire; load t; fence release; arrive e }\n}\n";
        let check = |text: &str| {
            crate::check(&Scene::new("x.tide", text), &crate::Options::default(), &mut |_| true)
        };
        let report = check(text);
        assert!(report.findings[0].fix.is_none());
        assert_eq!(
            report.findings[0].remedy.as_deref(),
            Some(
                "arrive at `e` once before `wait f` (wave 1, line 12), or at `f` once before `wait e` (wave 0, line 8)"
            )
        );
        let fixed = text.replace("for i in 0..2 { wait f", "arrive e\nfor i in 0..2 { wait f");
        assert_eq!(check(&fixed).verdict, "ok", "{fixed}");
    }

    #[test]
    fn equal_waits_of_many_agents_are_one_note() {
        let text = "target model\nlaunch waves=32\nwave * {\n  for i in 0..2 {\n\
            if i > 0 || wave_id != 19 { arrive wg }\n    wait wg\n  }\n}\n";
        assert_eq!(
            crate::testing::said(text),
            [
                "wave 19 waits on `wg` without having arrived",
                "`if i > 0 || wave_id != 19` (line 5) decides whether `arrive wg` is performed, but every agent must perform it",
                "`wait wg` (wave 0 to wave 31, line 6) never return",
                "wave 0 to wave 31 wait on `wg`: phase 1 has 31 of 32 arrivals",
                "the next arrives of wave 0 to wave 31 come after these waits",
                "phase 1 of `wg`: wave 0 to wave 18 and wave 20 to wave 31 have arrived, wave 19 has not",
            ]
        );
    }

    #[test]
    fn waits_on_different_objects_are_different_notes() {
        let text = "target model\nlaunch waves=4\nbarrier a\nbarrier b\n\
            wave 0 { init a, 2; init b, 2; arrive wg; wait wg\n arrive a; wait a; arrive b }\n\
            wave 1 { arrive wg; wait wg\n wait a }\n\
            wave 2-3 { arrive wg; wait wg\n wait b; arrive a }\n";
        let said = crate::testing::said(text);
        assert_eq!(
            said[2..6],
            [
                "wave 0 and wave 1 wait on `a`: phase 1 has 1 of 2 arrivals",
                "wave 2 and wave 3 would arrive later, but are also blocked",
                "wave 2 and wave 3 wait on `b`: phase 1 has 0 of 2 arrivals",
                "wave 0 would arrive later, but is also blocked",
            ],
            "{said:?}"
        );
    }

    #[test]
    fn earlier_waits_used_the_completed_phase() {
        let text = "target model\nlaunch waves=2\nwave * { arrive wg; wait wg; wait wg }\n";
        let scene = Scene::new("x.tide", text);
        let report = crate::check(&scene, &crate::Options::default(), &mut |_| true);
        let cause = &report.findings[0].cause;
        let used = cause.facts_of("phases-unavailable").next().expect("a complete phase");
        assert_eq!((used.names("why"), used.names("agents").len()), (&["used".into()][..], 2));
        assert_eq!(used.fields["completed"], crate::report::Value::Number(1));
    }

    #[test]
    fn agents_are_grouped_by_a_property() {
        assert_eq!(
            together(&[0, 1, 2, 3], |agent| agent % 2),
            [(0, Vec::from([0, 2])), (1, Vec::from([1, 3]))]
        );
    }
}
