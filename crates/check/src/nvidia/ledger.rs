//! The ledger of a scenario: for each barrier who arrives, how many are expected, which phase runs, who waits, and what
//! is missing. It stands at the end of the execution that the first deadlock was found on, or else of one execution.

use super::replay::{Object, Replay, acts_on, object_name, object_of};
use super::{is_judged_here, judge, law, tell};
use crate::judge::{KeepGoing, Step};
use crate::ledger::{Ledger, LedgerAgent, LedgerRow};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Action, Bar};
use tidegate_model::ptx::machine::{Machine, action_of};
use tidegate_model::verdict::Class;

/// Most steps of an execution that is only looked at.
const MOST_STEPS: usize = 100_000;

/// The ledger; `None` where the scenario is not one of NVIDIA or cannot be judged.
pub(crate) fn of(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Option<Ledger> {
    let context = scene.context()?;
    let target = options.target_of(scene).get();
    if !is_judged_here(&context, target) {
        return None;
    }
    let mut machine = Machine::new(context, law(target, options.readings_of(scene)));
    let judgement = judge::judge(&mut machine, options, true, keep_going);
    let stuck =
        judgement.broken.iter().find(|broken| broken.rule.get().class == Some(Class::Deadlock));
    let mut replay = Replay::new(machine);
    match stuck {
        Some(stuck) => stuck.path.iter().take_while(|step| replay.perform(**step)).count(),
        None => run(&mut replay),
    };
    let rows = rows(scene, &replay);
    Some(Ledger {
        file: scene.file().to_owned(),
        target: target.name.to_owned(),
        verdict: judgement.verdict.word().to_owned(),
        steps: replay.done.len() as u64,
        rows,
    })
}

/// One row for each barrier that operations of the program name.
pub(super) fn rows(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
    objects(replay).into_iter().map(|object| row(scene, replay, object)).collect()
}

/// Performs whatever can be performed first, to the end.
fn run(replay: &mut Replay) -> usize {
    for steps in 0..MOST_STEPS {
        let state = replay.state();
        let ready =
            (0..replay.machine.actors(state)).find(|&actor| replay.machine.ways(state, actor) > 0);
        let Some(agent) = ready else { return steps };
        replay.perform(Step { agent, way: 0 });
    }
    MOST_STEPS
}

/// The objects that operations of the program name.
fn objects(replay: &Replay) -> Vec<Object> {
    let state = replay.state();
    let bars = (0..state.bars.len()).map(Object::Bar);
    let all = (0..state.mbarriers.len()).map(Object::Mbarrier).chain(bars);
    let named = named(replay);
    all.filter(|object| named.contains_key(object)).collect()
}

/// For each object the agents that name it, with how often their text arrives there and waits there.
fn named(replay: &Replay) -> BTreeMap<Object, BTreeMap<usize, (u32, u32)>> {
    let mut named: BTreeMap<Object, BTreeMap<usize, (u32, u32)>> = BTreeMap::new();
    for (agent, node, _) in replay.machine.context.operations() {
        let Some(action) =
            action_of(&replay.machine.context.program.body_of(agent).nodes[node as usize])
        else {
            continue;
        };
        let Some(object) = object_of(&replay.machine, agent, action) else { continue };
        let (arrives, waits) = uses(action);
        let entry = named.entry(object).or_default().entry(agent).or_default();
        *entry = (entry.0 + u32::from(arrives), entry.1 + u32::from(waits));
    }
    named
}

/// Whether an operation arrives, and whether it waits.
const fn uses(action: Action) -> (bool, bool) {
    match action {
        Action::Arrive { .. } | Action::CopyArrive { .. } => (true, false),
        Action::Wait { .. } => (false, true),
        Action::Bar { kind: Bar::Arrive, .. } => (true, false),
        Action::Bar { .. } => (true, true),
        _ => (false, false),
    }
}

fn row(scene: &Scene, replay: &Replay, object: Object) -> LedgerRow {
    let state = replay.state();
    let named = named(replay).remove(&object).unwrap_or_default();
    let performed = |agent: usize, arrives: bool| -> u32 {
        let steps = replay.done.iter().filter(|done| {
            done.note.object == Some(object) && done.note.copy.is_none() && done.step.agent == agent
        });
        let kinds = steps.filter_map(|done| {
            action_of(&replay.machine.context.program.body_of(agent).nodes[done.node as usize])
        });
        kinds.filter(|action| if arrives { uses(*action).0 } else { uses(*action).1 }).count()
            as u32
    };
    let blocked: Vec<usize> = (0..state.agents.len())
        .filter(|&agent| {
            !state.agents[agent].ended && acts_on(&replay.machine, state, agent) == Some(object)
        })
        .filter(|&agent| replay.machine.ways(state, agent) == 0 && uses_now(replay, agent).1)
        .collect();
    let entry = |agent: usize, arrives: bool, written: u32| LedgerAgent {
        agent: scene.agent_name(agent).to_owned(),
        written,
        performed: performed(agent, arrives),
        blocked: !arrives && blocked.contains(&agent),
    };
    let arrives = named
        .iter()
        .filter(|(_, uses)| uses.0 > 0)
        .map(|(&agent, uses)| entry(agent, true, uses.0))
        .collect();
    let waits = named
        .iter()
        .filter(|(_, uses)| uses.1 > 0)
        .map(|(&agent, uses)| entry(agent, false, uses.1))
        .collect();
    let missing = blocked.first().map(|&agent| tell::blocked(scene, replay, agent));
    let name = object_name(scene, &replay.machine, object);
    let (kind, phase, expected, pending, bytes) = match object {
        Object::Mbarrier(index) => {
            let at = state.mbarriers[index];
            (
                "mbarrier",
                Some(at.phase),
                i64::from(at.expected),
                i64::from(at.pending),
                i64::from(at.tx),
            )
        }
        Object::Bar(index) => {
            let at = state.bars[index];
            let threads = i64::from(at.threads.unwrap_or(0));
            ("bar", None, threads, threads - i64::from(at.arrived), 0)
        }
    };
    LedgerRow {
        object: name,
        kind: kind.to_owned(),
        phase,
        expected,
        pending,
        bytes,
        arrives,
        waits,
        missing: missing.or_else(|| left_over(object, pending, expected)),
    }
}

fn uses_now(replay: &Replay, agent: usize) -> (bool, bool) {
    replay.machine.node(replay.state(), agent).and_then(action_of).map_or((false, false), uses)
}

/// What is left at a barrier of a CTA without anybody waiting.
fn left_over(object: Object, pending: i64, expected: i64) -> Option<String> {
    let begun = matches!(object, Object::Bar(_)) && expected > 0;
    begun.then(|| format!("{pending} of {expected} threads never arrive."))
}
