//! The operations of an execution on its barriers, for the relations between them.

use super::known;
use super::object::{Object, action_at, name, object_of};
use super::replay::Replay;
use crate::graph::Operation;
use crate::graph::replayed::{Events, Fact, operation};
use crate::scene::Scene;
use alloc::vec::Vec;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::machine::state::{Split, Standing};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::rule::RuleId;

/// The operations of an execution on its barriers, in the order in which the barriers observe them; with `memory`, also
/// those on memory.
///
/// They include the step that breaks a rule.
pub(crate) fn events(scene: &Scene, replay: &Replay, rule: Option<RuleId>, memory: bool) -> Events {
    let touches = memory.then(|| known::touches(replay));
    let machine = &replay.machine;
    let mut events = Events::default();
    let mut known: OrderedMap<Object, (usize, u32)> = OrderedMap::new();
    let mut arrivals: OrderedMap<usize, usize> = OrderedMap::new();
    for (step, done) in replay.done.iter().enumerate() {
        let agent = done.step.agent;
        let Some(action) = action_at(machine, agent, done.node) else {
            if let Some(touches) = &touches {
                events.add_memory(scene, replay, step, &touches[step]);
            }
            events.add_breaking(scene, replay, step, rule);
            continue;
        };
        let (before, after) = (&replay.states[step], &replay.states[step + 1]);
        let object = object_of(machine, agent, action);
        let (index, phase) = known
            .entry(object)
            .or_insert_with(|| (events.add_object(name(scene, machine, object)), 1));
        let shown =
            Operation { object: Some(*index), ..operation(scene, replay, agent, Some(step)) };
        let was = before.agents[agent].split;
        let counts = !after.stopped;
        let fact = Fact { step: Some(step), changes: counts, counts, ..Fact::default() };
        let (shown, fact) = match action {
            Action::Construct { .. } => {
                (Operation { kind: "init", ..shown }, Fact { counts: false, ..fact })
            }
            Action::Await { .. } => {
                let phase = (was == Split::Complete && counts).then_some(*phase - 1);
                let fact = Fact { changes: false, counts: false, ..fact };
                (Operation { kind: "wait", phase, ..shown }, fact)
            }
            _ => {
                // The step at which these gathered agents continue is known.
                let phase = Some(*phase).filter(|_| counts && !action.gathers());
                (Operation { kind: "arrive", phase, ..shown }, fact)
            }
        };
        let at = events.add((shown, fact));
        if action.gathers() && counts {
            let _ = arrivals.insert(agent, at);
        }
        if !done.note.completes {
            continue;
        }
        events.list[at].0.completes = true;
        let completed = *phase;
        *phase += 1;
        // Sub-groups may have come that the phase did not wait for.
        let met: Vec<usize> =
            done.note.released.iter().filter_map(|agent| arrivals.remove(agent)).collect();
        met.iter().for_each(|&arrival| events.list[arrival].0.phase = Some(completed));
        for arrival in met {
            let _ = events.add_wait(arrival, Some((completed, step)));
        }
    }
    let running: OrderedMap<usize, u32> = known.values().copied().collect();
    for arrival in arrivals.into_values() {
        let shown = &mut events.list[arrival].0;
        shown.phase = shown.object.and_then(|object| running.get(&object).copied());
        let _ = events.add_wait(arrival, None);
    }
    let state = replay.state();
    for agent in 0..state.agents.len() {
        let at = &state.agents[agent];
        let waits = at.standing == Standing::Going && at.split == Split::Arrived;
        let Some(action @ Action::Await { .. }) =
            action_at(machine, agent, at.node).filter(|_| waits)
        else {
            continue;
        };
        let object = known.get(&object_of(machine, agent, action)).map(|known| known.0);
        let shown = operation(scene, replay, agent, None);
        let _ = events.add((Operation { kind: "wait", object, ..shown }, Fact::default()));
    }
    events
}
