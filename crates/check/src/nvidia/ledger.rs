//! The ledger of every NVIDIA barrier after an execution.

use super::replay::{Done, Object, Replay, acts_on, begun, object_name, object_of};
use super::{meeting, stuck};
use crate::cause::{Cause, PtxFact};
use crate::ledger::rows::{LedgerAgent, LedgerRow};
use crate::scene::Scene;
use crate::tell::in_one_line;
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::action::{Action, Bar};
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::node::action_of;

/// One row for each barrier that operations of the program name.
pub(crate) fn rows(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
    objects(replay).into_iter().map(|object| row(scene, replay, object)).collect()
}

/// The objects that operations of the program name.
fn objects(replay: &Replay) -> Vec<Object> {
    let state = replay.state();
    let bars = (0..state.bars.len()).map(Object::Bar);
    let all = (0..state.mbarriers.len()).map(Object::Mbarrier).chain(bars);
    let named = named(replay);
    let met = |object: &&Object| matches!(object, Object::Cluster(_) | Object::Warp(_));
    let met = named.keys().filter(met).copied();
    all.filter(|object| named.contains_key(object)).chain(met).collect()
}

/// For each object the agents that name it, with how often their text arrives there and waits there.
fn named(replay: &Replay) -> OrderedMap<Object, OrderedMap<usize, (u32, u32)>> {
    let mut named: OrderedMap<Object, OrderedMap<usize, (u32, u32)>> = OrderedMap::new();
    for (agent, node, _) in replay.machine.context.operations() {
        let Some(action) =
            action_of(&replay.machine.context.program.body_of(agent).nodes[node as usize])
        else {
            continue;
        };
        let (arrives, waits) = uses(action);
        for object in named_by(&replay.machine, agent, action) {
            let entry = named.entry(object).or_default().entry(agent).or_default();
            *entry = (entry.0 + u32::from(arrives), entry.1 + u32::from(waits));
        }
    }
    named
}

/// The objects that an operation acts on: one, or one in each CTA of a mask.
fn named_by(machine: &Machine, agent: usize, action: Action) -> Vec<Object> {
    match action.ranks() {
        Some(_) => machine.objects(agent, action).map(|(at, _)| Object::Mbarrier(at)).collect(),
        None => object_of(machine, agent, action).into_iter().collect(),
    }
}

/// Whether an operation arrives, and whether it waits.
const fn uses(action: Action) -> (bool, bool) {
    match action {
        Action::Arrive { .. } | Action::CopyArrive { .. } | Action::ClusterArrive { .. } => {
            (true, false)
        }
        Action::Wait { .. } | Action::ClusterWait { .. } => (false, true),
        Action::Bar { kind: Bar::Arrive, .. } => (true, false),
        Action::Bar { .. } | Action::WarpSync { .. } => (true, true),
        _ => (false, false),
    }
}

fn row(scene: &Scene, replay: &Replay, object: Object) -> LedgerRow {
    let state = replay.state();
    let named = named(replay).remove(&object).unwrap_or_default();
    let performed = |agent: usize, arrives: bool| -> u32 {
        let own = |done: &&Done| done.note.copy.is_none() && done.step.agent == agent;
        let kinds = replay.done.iter().filter(own).filter_map(|done| {
            let node = &replay.machine.context.program.body_of(agent).nodes[done.node as usize];
            let action = action_of(node)?;
            let far = action.ranks().is_some();
            let acts = far && named_by(&replay.machine, agent, action).contains(&object);
            (acts || done.note.object == Some(object)).then_some(action)
        });
        kinds.filter(|action| if arrives { uses(*action).0 } else { uses(*action).1 }).count()
            as u32
    };
    let blocked: Vec<usize> = (0..state.agents.len())
        .filter(|&agent| {
            !state.stopped
                && !state.agents[agent].ended
                && acts_on(&replay.machine, state, agent) == Some(object)
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
    let missing = in_one_line(scene, &stuck::blocked_alike(scene, replay, &blocked));
    let name = object_name(scene, &replay.machine, object);
    let (kind, phase, expected, pending, bytes) = match object {
        Object::Mbarrier(index) => {
            let at = state.mbarriers[index];
            (
                "mbarrier",
                Some(at.phase),
                i64::from(begun(replay, &replay.done, index, at)),
                i64::from(at.pending),
                i64::from(at.tx),
            )
        }
        Object::Bar(index) => {
            let at = state.bars[index];
            let threads = i64::from(at.threads.unwrap_or(0));
            ("bar", None, threads, threads - i64::from(at.arrived), 0)
        }
        Object::Cluster(_) | Object::Warp(_) => {
            let (expected, arrived) = meeting::counts(replay, object);
            let cluster = matches!(object, Object::Cluster(_));
            (if cluster { "cluster" } else { "warp" }, None, expected, expected - arrived, 0)
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
        missing: missing
            .or_else(|| in_one_line(scene, left_over(object, pending, expected).as_slice())),
    }
}

fn uses_now(replay: &Replay, agent: usize) -> (bool, bool) {
    replay.machine.node(replay.state(), agent).and_then(action_of).map_or((false, false), uses)
}

/// Arrivals at a CTA barrier without a wait.
fn left_over(object: Object, missing: i64, expected: i64) -> Option<Cause> {
    let begun = matches!(object, Object::Bar(_)) && expected > 0;
    begun.then(|| PtxFact::ThreadsMissing { missing, expected }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::ledger;
    use crate::scene::Options;

    #[test]
    fn a_commit_for_two_ctas_arrives_at_the_object_of_each() {
        let text = "target sm_100\nlaunch clusters=1 ctas=2 warps=1\nmbarrier done\n\
            warp 0 {\n  mbarrier.init.shared::cta.b64 [done], 1\n  barrier.cluster.arrive\n  barrier.cluster.wait\n\
            if workgroup_id == 0 {\n    tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [done], 3\n  }\n}\n";
        let scene = Scene::new("x.tide", text);
        assert!(scene.is_valid(), "{:?}", scene.diagnostics());
        let told = ledger(&scene, &Options::default(), &mut |_| true).expect("a ledger");
        let rows: Vec<_> = told.rows.iter().filter(|row| row.kind == "mbarrier").collect();
        let counts: Vec<(u32, u32)> = rows
            .iter()
            .flat_map(|row| row.arrives.iter().map(|it| (it.written, it.performed)))
            .collect();
        assert_eq!((rows.len(), counts), (2, Vec::from([(1, 1), (1, 1)])), "{:?}", told.rows);
    }
}
