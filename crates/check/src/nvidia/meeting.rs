//! Missing agents at cluster barriers and at `bar.warp.sync`.

use super::replay::{Object, Replay, acts_on};
use crate::cause::ptx::Blocked;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::cluster::arrive_once::Standing;
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::ptx::machine::state::Held;

/// Live agents of the cluster that have not arrived in the current phase.
pub(super) fn missing_at_cluster(replay: &Replay, agent: usize) -> Vec<usize> {
    let state = replay.state();
    let missing = |&other: &usize| {
        !state.agents[other].ended && state.agents[other].cluster != Standing::Arrived
    };
    replay.machine.in_cluster(agent).filter(missing).collect()
}

/// The lanes of an agent's warp that a mask of `bar.warp.sync` names.
pub(super) fn named_lanes(replay: &Replay, agent: usize, mask: u32) -> Vec<usize> {
    let machine = &replay.machine;
    let program = &machine.context.program;
    let lane = |other: usize| program.agents[other].wave % program.launch.lanes;
    let warp = |other: &usize| machine.warp(*other) == machine.warp(agent);
    let all = machine.in_cta(machine.cta(agent)).filter(warp);
    all.filter(|&other| mask >> lane(other).min(31) & 1 != 0).collect()
}

/// Live named lanes that do not wait there.
pub(super) fn missing_lanes(replay: &Replay, agent: usize, mask: u32) -> Vec<usize> {
    let state = replay.state();
    let away =
        |&other: &usize| !state.agents[other].ended && state.agents[other].held != Held::Warp;
    named_lanes(replay, agent, mask).into_iter().filter(away).collect()
}

/// A barrier that missing agents have not reached, and where they are blocked.
pub(super) fn at(replay: &Replay, object: String, missing: Vec<usize>) -> Blocked {
    let (machine, state) = (&replay.machine, replay.state());
    let held = missing.iter().filter(|&&agent| machine.ways(state, agent) == 0);
    let held = held.map(|&agent| (agent, state.agents[agent].node)).collect();
    Blocked::Meeting { object, missing, held }
}

/// The expected and the arrived agents of a cluster barrier or a `bar.warp.sync`. A `bar.warp.sync` expects none until a
/// lane waits, because the first lane gives the mask.
pub(super) fn counts(replay: &Replay, object: Object) -> (i64, i64) {
    let (machine, state) = (&replay.machine, replay.state());
    let live = (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended);
    match object {
        Object::Cluster(cluster) => {
            let launch = machine.context.program.launch;
            let here = |agent: &usize| launch.cluster_of(machine.cta(*agent)) as usize == cluster;
            let arrived = |agent: &usize| state.agents[*agent].cluster == Standing::Arrived;
            let live = live.filter(here);
            (live.clone().count() as i64, live.filter(arrived).count() as i64)
        }
        Object::Warp(_) => {
            let waits = |&agent: &usize| {
                state.agents[agent].held == Held::Warp
                    && acts_on(machine, state, agent) == Some(object)
            };
            let first = live.clone().find(waits);
            let mask =
                first.and_then(|agent| match machine.node(state, agent).and_then(action_of) {
                    Some(Action::WarpSync { mask }) => Some((agent, mask)),
                    _ => None,
                });
            let Some((agent, mask)) = mask else { return (0, 0) };
            let missing = missing_lanes(replay, agent, mask).len();
            let named = named_lanes(replay, agent, mask);
            let all = named.into_iter().filter(|&lane| !state.agents[lane].ended).count();
            (all as i64, (all - missing) as i64)
        }
        _ => (0, 0),
    }
}
