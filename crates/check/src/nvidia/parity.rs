//! A wait by the parity of a phase that never ends, where the phase before it is over: the other parity is offered if the
//! scenario with it is judged to hold.

use super::replay::{Replay, acts_on, object_name};
use crate::explain::{self, Told};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::machine::state::State;

/// A wait by parity that meets a later phase than the first that it can meet.
struct Alias {
    /// Its object.
    name: String,
    /// What it was written for, as far as executions tell: the first that it can meet.
    meant: String,
    /// What it meets now.
    met: String,
}

fn alias(scene: &Scene, replay: &Replay, state: &State, agent: usize) -> Option<Alias> {
    let machine = &replay.machine;
    let (key, now) = machine.meets(state, agent)?;
    let &first = machine.aliases.get(&key).filter(|&&first| first < now)?;
    let name = object_name(scene, machine, acts_on(machine, state, agent)?);
    let [meant, met] = [first, now].map(|running| match running.checked_sub(1) {
        Some(over) => format!("phase {over}"),
        None => "the time before phase 0".into(),
    });
    Some(Alias { name, meant, met })
}

/// Why a wait meets another phase than the one that it was written for.
pub(super) fn written_for(
    scene: &Scene,
    replay: &Replay,
    state: &State,
    agent: usize,
) -> Option<String> {
    let Alias { name, meant, met } = alias(scene, replay, state, agent)?;
    Some(format!(
        "The first that it can meet is {meant} of {name}, which it is taken to be written for; here it meets {met}. Nothing orders it before a later phase of the same parity."
    ))
}

/// Waits that are blocked at the end of an execution because they come too late for the phase that they were written for.
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
            "{what} comes too late for {meant} of {name}: it waits for the end of {met}, which has the same parity, and hangs."
        ),
        because: alloc::vec![why],
        agent: Some(agent),
        node: Some(node),
        ..Told::default()
    })
}
