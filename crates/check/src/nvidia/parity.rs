//! Waits by parity that match a later phase than intended.

use super::replay::{Replay, acts_on, object_name};
use crate::cause::{Finding, Ptx, PtxFact};
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::machine::state::State;

/// A wait by parity that matches a later phase than its earliest match. Without a phase, it is the start of phase 0.
struct Alias {
    /// Its object.
    object: String,
    /// The intended phase: the earliest match in any execution.
    meant: Option<u32>,
    /// The match in this execution.
    met: Option<u32>,
}

fn alias(scene: &Scene, replay: &Replay, state: &State, agent: usize) -> Option<Alias> {
    let machine = &replay.machine;
    let (key, now) = machine.meets(state, agent)?;
    let &first = machine.aliases.get(&key).filter(|&&first| first < now)?;
    let object = object_name(scene, machine, acts_on(machine, state, agent)?);
    let [meant, met] = [first, now].map(|running| running.checked_sub(1));
    Some(Alias { object, meant, met })
}

/// The intended and the actual phase of a wait.
pub(super) fn written_for(
    scene: &Scene,
    replay: &Replay,
    state: &State,
    agent: usize,
) -> Option<Vec<PtxFact>> {
    let Alias { object, meant, met } = alias(scene, replay, state, agent)?;
    let match_here = PtxFact::EarliestMatch { object, earliest: meant, matched: met };
    Some(Vec::from([match_here, PtxFact::LaterPhases]))
}

/// Waits that are blocked at the end of an execution because they missed the intended phase.
pub(super) fn came_late(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<Finding> {
    let state = replay.state();
    let late = |&agent: &usize| Some((agent, alias(scene, replay, state, agent)?));
    let (agent, Alias { object, meant, met }) = stuck.iter().find_map(late)?;
    let facts = written_for(scene, replay, state, agent).into_iter().flatten();
    let facts = facts.map(Into::into).collect();
    let operation = (agent, state.agents[agent].node);
    let cause = Ptx::MissesPhase { operation, object, missed: meant, matched: met };
    Some(Finding::new(cause, facts, Some(operation)))
}
