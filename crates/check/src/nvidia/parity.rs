//! Waits by parity that match a later phase than intended.

use super::replay::{Replay, acts_on, named};
use crate::explain::{self, Told};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::machine::state::State;

/// A wait by parity that matches a later phase than its earliest match.
struct Alias {
    /// Its object.
    name: String,
    /// The intended phase: the earliest match in any execution.
    meant: String,
    /// The match in this execution.
    met: String,
}

fn alias(scene: &Scene, replay: &Replay, state: &State, agent: usize) -> Option<Alias> {
    let machine = &replay.machine;
    let (key, now) = machine.meets(state, agent)?;
    let &first = machine.aliases.get(&key).filter(|&&first| first < now)?;
    let name = named(scene, machine, acts_on(machine, state, agent)?);
    let [meant, met] = [first, now].map(|running| match running.checked_sub(1) {
        Some(over) => format!("phase {over}"),
        None => "the start of phase 0".into(),
    });
    Some(Alias { name, meant, met })
}

/// Describes the intended and the actual phase of a wait.
pub(super) fn written_for(
    scene: &Scene,
    replay: &Replay,
    state: &State,
    agent: usize,
) -> Option<Vec<String>> {
    let Alias { name, meant, met } = alias(scene, replay, state, agent)?;
    Some(Vec::from([
        format!("the earliest match of this wait is {meant} of {name}; here it matches {met}"),
        "the wait is not ordered before later phases of the same parity".into(),
    ]))
}

/// Describes waits that are blocked at the end of an execution because they missed the intended phase.
pub(super) fn came_late(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<Told> {
    let state = replay.state();
    let late = stuck.iter().filter_map(|&agent| {
        Some((
            agent,
            alias(scene, replay, state, agent)?,
            written_for(scene, replay, state, agent)?,
        ))
    });
    let late: Vec<_> = late.collect();
    let (agent, Alias { name, meant, met }, why) = late.into_iter().next()?;
    let node = state.agents[agent].node;
    let what = explain::operation(scene, agent, node);
    Some(Told {
        message: format!(
            "{what} misses {meant} of {name} and waits for {met}, which has the same parity"
        ),
        because: why,
        agent: Some(agent),
        node: Some(node),
        ..Told::default()
    })
}
