//! The missing arrivals of a phase that never completes: agents that wait without having arrived, or never arrive.

use super::coming::without_arriving;
use crate::cause::amd::Absence;
use crate::cause::{Amd, Cause, Common};
use crate::replay::amdgpu::{Done, Replay};
use crate::scene::Scene;
use crate::tell::help;
use crate::tell::names::together;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::reach::instance_bit;
use tidegate_model::spec::state::State;

/// A phase with missing arrivals at the end of an execution.
pub(super) struct Missing {
    instance: InstanceId,
    /// The number of the phase, from 1.
    phase: u32,
    /// The number of missing arrivals.
    lacks: i32,
    /// Agents that arrived in the phase.
    arrived: Vec<usize>,
    who: Who,
    /// An init during the phase, and the agents whose arrivals it reset.
    wiped: Option<Wiped>,
}

/// An init that reset the arrival count of a phase in which agents had arrived.
struct Wiped {
    /// The agent of the init.
    agent: usize,
    /// The node of the init.
    node: u32,
    /// The agents that had arrived.
    arrived: Vec<usize>,
}

/// The agents that did not arrive.
enum Who {
    /// Agents that wait for the phase, as many as arrivals are missing.
    Waiting(Vec<usize>),
    /// Agents whose arrivals would count, but that have no arrive left.
    Absent(Vec<(Absence, Vec<usize>)>),
}

impl Missing {
    /// The missing arrivals of an object on which agents wait at the end of an execution, if no agent provides them.
    pub(super) fn of(replay: &Replay, instance: InstanceId, waiting: &[usize]) -> Option<Self> {
        let object = &replay.state().objects[usize::from(instance)];
        let lacks = object.barrier.expected - object.barrier.arrived;
        if !object.barrier.initialised || lacks <= 0 {
            return None;
        }
        let arrived = arrivals(replay, instance, |completed| completed == object.completed);
        let absent = absent(replay, instance, (waiting, &arrived), lacks)?;
        let arrives = |agent: usize| is_meant_to_arrive(replay, instance, agent);
        let who = match without_arriving(waiting, &arrived, i64::from(lacks), arrives) {
            Some(agents) => Who::Waiting(agents),
            None => Who::Absent(absent),
        };
        let wiped = wiped(replay, instance, object.completed);
        Some(Self { instance, phase: object.completed + 1, lacks, arrived, who, wiped })
    }

    /// The missing arrivals as a fact.
    pub(super) fn fact(&self, scene: &Scene) -> Cause {
        let object = scene.instance_name(self.instance);
        let (phase, arrived) = (self.phase, self.arrived.clone());
        match (&self.wiped, &self.who) {
            (Some(Wiped { agent, node, arrived }), _) => {
                let (init, agents) = ((*agent, *node), arrived.clone());
                Amd::InitReset { init, object, agents, phase }.into()
            }
            (None, Who::Waiting(missing)) => {
                Common::Arrived { object, phase, arrived, missing: missing.clone() }.into()
            }
            (None, Who::Absent(absent)) => {
                let (missing, absent) = (self.lacks, absent.clone());
                Amd::Missing { object, phase, missing, arrived, absent }.into()
            }
        }
    }

    /// The missing agents as a cause, if they are known.
    pub(super) fn cause(&self, scene: &Scene) -> Option<Cause> {
        if self.wiped.is_some() {
            return None;
        }
        let (why, agents) = match &self.who {
            Who::Waiting(agents) => (Absence::Waits, agents),
            Who::Absent(absent) => match absent.as_slice() {
                [(absence, agents)] => (*absence, agents),
                _ => return None,
            },
        };
        // If more agents could arrive than are missing, none of them is the cause.
        if agents.len() as i64 != i64::from(self.lacks) {
            return None;
        }
        let (agents, object) = (agents.clone(), scene.instance_name(self.instance));
        Some(match why {
            Absence::Waits => Common::WithoutArriving { agents, object }.into(),
            why => Amd::Absent { agents, why, object }.into(),
        })
    }

    /// The help to initialise the object with the number of agents that arrive.
    fn count(&self, scene: &Scene, replay: &Replay) -> Option<String> {
        let barrier = replay.state().objects[usize::from(self.instance)].barrier;
        let never = match &self.who {
            Who::Absent(absent) => match absent.as_slice() {
                [] => &[][..],
                [(Absence::Never, agents)] => agents,
                _ => return None,
            },
            Who::Waiting(_) => return None,
        };
        let count = replay.done.iter().rev().find_map(|done| match replay.action(done)? {
            Action::Init { expected, .. } if done.note.instance == Some(self.instance) => {
                Some(expected)
            }
            _ => None,
        })?;
        let comes = barrier.arrived;
        if i64::from(barrier.expected) != count || comes == 0 {
            return None;
        }
        // An arrive can set the expected count again.
        let context = &replay.machine.context;
        let all = context.operations().filter(|(agent, node, operation)| {
            operation.action.sets_expected() == Some(count)
                && context.instances.at(*agent, *node) == self.instance
        });
        let lines: OrderedSet<u32> =
            all.map(|(agent, node, _)| scene.source(agent, node).span.line).collect();
        let lines: Vec<u32> = lines.iter().copied().collect();
        let name = scene.instance_name(self.instance);
        let counts = (comes, count, lines.as_slice());
        Some(help::amd::initialise_with(scene, &name, counts, (never, self.lacks)))
    }

    /// The help if there is no edit.
    pub(super) fn remedy(&self, scene: &Scene, replay: &Replay) -> Option<String> {
        if let Some(Wiped { arrived, .. }) = &self.wiped {
            let name = scene.instance_name(self.instance);
            return Some(help::amd::initialise_once(scene, &name, arrived));
        }
        self.count(scene, replay).or_else(|| self.execute(scene, replay))
    }

    /// The help to execute the arrive of compiled code that other agents execute.
    fn execute(&self, scene: &Scene, replay: &Replay) -> Option<String> {
        let Who::Waiting(agents) = &self.who else { return None };
        let line = |done: &Done| scene.source(done.step.agent, done.node).span.line;
        let arrive = replay.done.iter().rev().find(|done| {
            done.note.instance == Some(self.instance)
                && matches!(replay.action(done), Some(Action::Arrive { .. }))
        })?;
        let is_shared =
            |done: &Done| agents.contains(&done.step.agent) && line(done) == line(arrive);
        let skipped = scene.is_compiled() && !replay.done.iter().any(is_shared);
        skipped.then(|| help::amd::execute(scene, agents, (arrive.step.agent, arrive.node)))
    }
}

/// The last init of an object during its current phase, if agents had arrived before it.
fn wiped(replay: &Replay, instance: InstanceId, completed: u32) -> Option<Wiped> {
    let here = |(done, before): &(&Done, &State)| {
        done.note.instance == Some(instance)
            && before.objects[usize::from(instance)].completed == completed
    };
    let steps: Vec<(&Done, &State)> = replay.done.iter().zip(&replay.states).filter(here).collect();
    let last = steps
        .iter()
        .rposition(|(done, _)| matches!(replay.action(done), Some(Action::Init { .. })))?;
    let (init, before) = steps[last];
    if before.objects[usize::from(instance)].barrier.arrived <= 0 {
        return None;
    }
    let begun = steps[..last]
        .iter()
        .rposition(|(done, _)| matches!(replay.action(done), Some(Action::Init { .. })))
        .map_or(0, |at| at + 1);
    let arrives = steps[begun..last]
        .iter()
        .filter(|(done, _)| matches!(replay.action(done), Some(Action::Arrive { .. })));
    let mut arrived: Vec<usize> = arrives.map(|(done, _)| done.step.agent).collect();
    arrived.sort_unstable();
    arrived.dedup();
    (!arrived.is_empty()).then_some(Wiped { agent: init.step.agent, node: init.node, arrived })
}

/// Agents that arrived at an object while `asked` accepted its number of completed phases.
fn arrivals(replay: &Replay, instance: InstanceId, asked: impl Fn(u32) -> bool) -> Vec<usize> {
    let steps = replay.done.iter().zip(&replay.states);
    let mut arrived: Vec<usize> = steps
        .filter(|(done, before)| {
            done.note.instance == Some(instance)
                && asked(before.objects[usize::from(instance)].completed)
                && matches!(replay.action(done), Some(Action::Arrive { .. }))
        })
        .map(|(done, _)| done.step.agent)
        .collect();
    arrived.sort_unstable();
    arrived.dedup();
    arrived
}

/// Whether an agent is meant to arrive at an object: every agent at those of the launch, otherwise if it has an arrive.
fn is_meant_to_arrive(replay: &Replay, instance: InstanceId, agent: usize) -> bool {
    let context = &replay.machine.context;
    let object = context.instances.list[usize::from(instance)].object;
    let begin = replay.states[0].agents[agent].node;
    matches!(object, Object::Workgroup | Object::Cluster)
        || context.reaches.from(agent, begin).arrives & instance_bit(instance) != 0
}

/// Whether an agent has dropped an object.
fn has_dropped(replay: &Replay, instance: InstanceId, agent: usize) -> bool {
    replay.done.iter().any(|done| {
        let own = done.step.agent == agent && done.note.instance == Some(instance);
        own && matches!(replay.action(done), Some(Action::Drop { .. } | Action::Leave))
    })
}

/// Agents in the scope of an object that neither arrived in its current phase nor will, by the reason. `None` if agents
/// with an arrive left are enough. Agents that never use the object count only if no other agent is absent. Agents that
/// dropped the object, and agents that only wait while others only arrive, do not count.
fn absent(
    replay: &Replay,
    instance: InstanceId,
    (waiting, arrived): (&[usize], &[usize]),
    lacks: i32,
) -> Option<Vec<(Absence, Vec<usize>)>> {
    let (context, state) = (&replay.machine.context, replay.state());
    let bit = instance_bit(instance);
    let here = context.instances.list[usize::from(instance)];
    let launched = matches!(here.object, Object::Workgroup | Object::Cluster);
    let in_scope = |&agent: &usize| match here.object {
        Object::Cluster => context.instances.cluster_of(agent) == instance,
        _ => context.program.agents[agent].workgroup == here.place,
    };
    let arrives_from = |agent: usize, node| context.reaches.from(agent, node).arrives & bit != 0;
    let others = (0..state.agents.len()).filter(in_scope).filter(|agent| !arrived.contains(agent));
    let (able, absent): (Vec<usize>, Vec<usize>) = others
        // The end of an agent drops the objects of the launch.
        .filter(|&agent| !(launched && state.agents[agent].ended))
        .filter(|&agent| !has_dropped(replay, instance, agent))
        .partition(|&agent| {
            let at = state.agents[agent];
            !at.ended && !waiting.contains(&agent) && arrives_from(agent, at.node)
        });
    if able.len() as i64 >= i64::from(lacks) {
        return None;
    }
    let before = arrivals(replay, instance, |_| true);
    let meet = arrived.iter().any(|agent| waiting.contains(agent));
    let is_served = |agent: &usize| {
        waiting.contains(agent) && !meet && !is_meant_to_arrive(replay, instance, *agent)
    };
    let absent: Vec<usize> = absent.into_iter().filter(|agent| !is_served(agent)).collect();
    let why = |agent: usize| match () {
        () if waiting.contains(&agent) => Absence::Waits,
        () if before.contains(&agent) => Absence::Before,
        () if arrives_from(agent, replay.states[0].agents[agent].node) => Absence::Passed,
        () => Absence::Never,
    };
    let mut kinds = together(&absent, why);
    kinds.sort_by_key(|(absence, _)| *absence);
    if kinds.len() > 1 {
        kinds.retain(|(absence, _)| *absence != Absence::Never);
    }
    Some(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::report::{Cause, Finding, Value};
    use crate::scene::Options;
    use crate::testing::{edits, kinds};

    fn hang(text: &str) -> Finding {
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let hangs = |finding: &Finding| finding.rule == "amd.wait.never-completes";
        report.findings.into_iter().find(hangs).expect("a wait never completes")
    }

    /// The fact which agents have arrived in the phase, and which have not and why.
    fn missing(hang: &Finding) -> &Cause {
        hang.cause.facts_of("arrivals-missing").next().expect("missing arrivals")
    }

    fn absent<'f>(hang: &'f Finding, why: &str) -> &'f [String] {
        match &missing(hang).fields["absent"] {
            Value::Groups(groups) => groups.get(why).map_or(&[], Vec::as_slice),
            other => panic!("agents by reason: {other:?}"),
        }
    }

    #[test]
    fn an_init_that_resets_arrivals_is_named() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
            wave 0 { init b, 2; arrive wg; wait wg\n join b; arrive b; init b, 2; arrive wg; wait wg; wait b }\n\
            wave 1 { arrive wg; wait wg\n join b; arrive wg; wait wg; arrive b; wait b }\n";
        let hang = hang(text);
        let reset = hang.cause.facts_of("init-reset-arrivals").next().expect("an init");
        assert_eq!((reset.places()[0].line, reset.places()[0].column), (5, 20));
        assert_eq!(edits(&hang), [(5, "init b, 2"), (5, "arrive b")]);
        // An init before the first arrival resets nothing.
        let early =
            text.replace("arrive b; init b, 2; arrive wg", "init b, 3; arrive b; arrive wg");
        assert!(!kinds(&self::hang(&early)).contains(&"init-reset-arrivals"));
    }

    #[test]
    fn a_count_above_the_arriving_agents_is_lowered() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
            wave 0 { init b, 3; arrive wg; wait wg\n join b; arrive wg; wait wg; arrive b; wait b }\n\
            wave 1 { arrive wg; wait wg\n join b; arrive wg; wait wg; arrive b; wait b }\n";
        let hang = hang(text);
        assert_eq!(missing(&hang).names("arrived"), ["wave 0", "wave 1"]);
        assert_eq!(missing(&hang).fields["absent"], Value::Groups(Default::default()));
        assert_eq!(edits(&hang), [(4, "init b, 2")]);
    }

    #[test]
    fn an_agent_that_never_arrives_is_named() {
        let text = "target gfx1250\nlaunch waves=3\nbarrier b = named(1)\n\
            wave 0-1 { init b, 3; arrive wg; wait wg\n join b; arrive wg; wait wg; arrive b; wait b }\n\
            wave 2 { arrive wg; wait wg; arrive wg; wait wg }\n";
        let text =
            text.replacen("wave 0-1 { init b, 3;", "wave 0-1 { if wave_id == 0 { init b, 3 }", 1);
        let hang = hang(&text);
        assert_eq!(missing(&hang).names("arrived"), ["wave 0", "wave 1"]);
        assert_eq!(absent(&hang, "never"), ["wave 2"]);
        assert_eq!(edits(&hang), [(6, "; arrive b")]);
    }

    #[test]
    fn an_agent_that_only_waits_is_not_missing() {
        let text = "target model\nlaunch waves=3\nbarrier b\nwave 0 { init b, 2; arrive wg; wait wg; arrive b }\n\
            wave 1 { arrive wg; wait wg }\nwave 2 { arrive wg; wait wg; wait b }\n";
        let hang = hang(text);
        assert_eq!(hang.cause.names("agents"), ["wave 1"]);
        assert_eq!(missing(&hang).names("arrived"), ["wave 0"]);
        assert_eq!(absent(&hang, "never"), ["wave 1"]);
        assert_eq!(edits(&hang), [(5, "; arrive b")]);
        // If no agent arrives, no agent is the cause.
        let nobody = text.replace("init b, 2", "init b, 1").replace("; arrive b }", " }");
        let hang = self::hang(&nobody);
        assert_eq!(hang.cause.kind, "waits-never-return");
        assert!(!kinds(&hang).contains(&"waits-without-arriving"), "{hang:?}");
    }

    #[test]
    fn an_agent_that_dropped_is_not_missing() {
        let text = "target gfx1250\nlaunch waves=3\nbarrier b = named(1)\n\
            wave 0 { init b, 3; join b; arrive wg; wait wg; arrive b; wait b }\n\
            wave 1 { join b; arrive wg; wait wg }\nwave 2 { join b; arrive wg; wait wg; drop b }\n";
        let hang = hang(text);
        assert_eq!(hang.cause.names("agents"), ["wave 1"]);
        assert_eq!(absent(&hang, "never"), ["wave 1"]);
    }

    #[test]
    fn an_agent_with_fewer_iterations_is_named() {
        let text = "target model\nlaunch waves=2\nbarrier b\n\
            wave 0 { init b, 2; arrive wg; wait wg\n arrive b; wait b; arrive b; wait b }\n\
            wave 1 { arrive wg; wait wg\n arrive b\n wait b }\n";
        let hang = hang(text);
        assert_eq!(hang.cause.names("why"), ["arrived-earlier"]);
        assert_eq!(absent(&hang, "arrived-earlier"), ["wave 1"]);
    }

    #[test]
    fn help_names_the_arrive_and_the_branches_that_skip_it() {
        let code = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\nhalf:\n\
            \tv_cmp_gt_u32_e32 vcc_lo, 32, v0\n\ts_cbranch_vccz .LBB0_2 ; lower half\n\
            \ts_barrier_signal -1\n.LBB0_2:\n\ts_barrier_wait -1\n\ts_endpgm\n\
            \t.amdhsa_kernel half\n\t.end_amdhsa_kernel\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n\
            \x20 - .name: half\n    .max_flat_workgroup_size: 64\n    .reqd_workgroup_size: [64, 1, 1]\n\
            \x20   .wavefront_size: 32\n...\n\t.end_amdgpu_metadata\n";
        let help = |code: &str| hang(code).remedy.unwrap_or_default();
        let said = help(code);
        assert!(said.starts_with("make wave 1 execute `s_barrier_signal -1`"), "{said}");
        assert!(said.ends_with(", which the branch in line 4 skips"), "{said}");
        let twice = code.replace("\ts_cbranch", "\ts_cbranch_vccz .LBB0_2\n\ts_cbranch");
        assert!(help(&twice).ends_with(", which the branches in lines 4 and 5 skip"), "{twice}");
        // The agents of a scenario have statements of their own.
        let own =
            "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg }\nwave 1 { wait wg }\n";
        assert!(!help(own).contains(" execute "), "{}", help(own));
    }
}
