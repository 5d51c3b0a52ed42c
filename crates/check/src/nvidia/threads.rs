//! Help for a CTA barrier that never completes: the missing agents, and the count that fits.

use super::coming::reachable;
use super::replay::{Object, Replay, acts_on, node_action, object_name};
use crate::cause::At;
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::bar::BARS;
use tidegate_model::ptx::machine::state::Held;

/// Threads of a warp.
const WARP: u32 = 32;

/// The missing threads of a barrier.
struct Missing {
    index: usize,
    /// The thread count.
    threads: u32,
    /// Threads that arrived.
    arrived: u32,
    /// Agents of the CTA that can still arrive.
    held: Vec<usize>,
    /// Agents of the CTA that never arrive.
    never: Vec<usize>,
}

fn missing(replay: &Replay, agent: usize) -> Option<Missing> {
    let (machine, state) = (&replay.machine, replay.state());
    let Object::Bar(index) = acts_on(machine, state, agent)? else { return None };
    let id = index % BARS;
    let at = state.bars[index];
    let comes = |other: usize| {
        let names = |node: u32| matches!(node_action(machine, other, node), Some(Action::Bar { id: named, .. }) if named == id as i64);
        !state.agents[other].ended
            && reachable(machine, other, state.agents[other].node).into_iter().any(names)
    };
    let away = machine.in_cta(machine.cta(agent));
    let away = away.filter(|&other| state.agents[other].bars >> id & 1 == 0);
    let (held, never) = away.partition(|&other| comes(other));
    Some(Missing { index, threads: at.threads?, arrived: at.arrived, held, never })
}

/// The help for a barrier at which an agent is blocked.
pub(super) fn remedy(scene: &Scene, replay: &Replay, agent: usize) -> Option<String> {
    if replay.state().agents[agent].held == Held::Gathering {
        return Some(help::ptx::gather());
    }
    let Missing { index, threads, arrived, held, never } = missing(replay, agent)?;
    let name = object_name(scene, &replay.machine, Object::Bar(index));
    let missing = threads - arrived.min(threads);
    if held.is_empty() {
        // An agent is a warp or one of its lanes.
        let each = (WARP / replay.machine.context.program.launch.lanes.max(1)).max(1);
        let agents = missing.div_ceil(each) as usize;
        let counts = (arrived, threads);
        let line = scene.source(agent, replay.state().agents[agent].node).span.line;
        return Some(help::ptx::thread_count(scene, &name, counts, (&never, agents), line));
    }
    let held: Vec<At> =
        held.iter().map(|&agent| (agent, replay.state().agents[agent].node)).collect();
    Some(help::ptx::reach_bar(scene, &name, &held, (missing, threads)))
}
