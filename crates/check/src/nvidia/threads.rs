//! What to do about a barrier of a CTA that never completes: who is missing, and the count that would fit those who come.

use super::replay::{Object, Replay, acts_on, node_action, object_name};
use super::stuck::reachable;
use crate::explain::{self, list, names};
use crate::scene::Scene;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::BARS;
use tidegate_model::ptx::machine::state::Held;

/// Who is missing at a barrier, and what to do.
struct Missing {
    index: usize,
    /// Threads that it waits for.
    threads: u32,
    /// Threads that came.
    arrived: u32,
    /// Agents of the CTA that can still come.
    held: Vec<usize>,
    /// Agents of the CTA that have not come and never do.
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

/// What to do at the barrier where an agent is blocked.
pub(super) fn remedy(scene: &Scene, replay: &Replay, agent: usize) -> Option<String> {
    if replay.state().agents[agent].held == Held::Gathering {
        return Some("Let every lane of the warp that lives come to the same barrier.".to_string());
    }
    let Missing { index, threads, arrived, held, never } = missing(replay, agent)?;
    let name = object_name(scene, &replay.machine, Object::Bar(index));
    if !held.is_empty() {
        let at: Vec<(usize, u32)> =
            held.iter().map(|&agent| (agent, replay.state().agents[agent].node)).collect();
        let (verb, them) = if held.len() == 1 { ("comes", "it") } else { ("come", "them") };
        return Some(format!(
            "{name} lacks {} of {threads} threads, and {} {verb} there only behind {}: let {them} come before that.",
            threads - arrived.min(threads),
            names(scene, &held),
            list(&explain::places(scene, &at))
        ));
    }
    let fits = format!(
        "{arrived} threads come to {name}, which waits for {threads}: name {arrived} there"
    );
    Some(match never[..] {
        [] => format!("{fits}."),
        _ => {
            let verb = if never.len() == 1 { "it" } else { "them" };
            format!("{fits}, or let {verb} come, too: {}.", names(scene, &never))
        }
    })
}
