//! The operations that can still arrive at an mbarrier object, and those that have arrived.

use super::replay::{Done, Object, Replay, act, acts_on, done_action};
use crate::cause::field::Act;
use crate::explain::coming::Coming as Arriving;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::ptx::action::{Action, Asked};
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::ptx::machine::state::State;
use tidegate_model::ptx::object::Mbarrier;

/// Agents and copies that can still arrive at an object.
pub(super) struct Coming {
    pub(super) agents: Arriving,
    pub(super) copies: Vec<(usize, u32, Option<u32>)>,
}

impl Coming {
    pub(super) fn at(replay: &Replay, object: usize, waiting: &[usize]) -> Self {
        let (machine, state) = (&replay.machine, replay.state());
        let able =
            |&agent: &usize| !state.agents[agent].ended && may_come(machine, state, agent, object);
        let able: Vec<usize> = (0..state.agents.len()).filter(able).collect();
        let agents = Arriving::of(&able, waiting, |agent| machine.ways(state, agent) > 0);
        let to_it = state.copies.iter().filter(|copy| copy.object as usize == object);
        let copies = to_it.map(|copy| (copy.agent as usize, copy.node, copy.left)).collect();
        Self { agents, copies }
    }

    pub(super) const fn is_nothing(&self) -> bool {
        self.agents.is_nobody() && self.copies.is_empty()
    }
}

/// Whether an agent can reach an operation that arrives at an object or completes bytes of it.
pub(super) fn may_come(machine: &Machine, state: &State, agent: usize, object: usize) -> bool {
    reachable(machine, agent, state.agents[agent].node).into_iter().any(|node| {
        let action = action_of(&machine.context.program.body_of(agent).nodes[node as usize]);
        let counts = matches!(
            action,
            Some(
                Action::Arrive { .. }
                    | Action::Complete { .. }
                    | Action::Copy { .. }
                    | Action::CopyArrive { .. }
            )
        );
        counts
            && action.is_some_and(|action| {
                machine.objects(agent, action).any(|(index, _)| index == object)
            })
    })
}

/// The nodes that can be reached from one.
pub(super) fn reachable(machine: &Machine, agent: usize, node: u32) -> OrderedSet<u32> {
    let nodes = &machine.context.program.body_of(agent).nodes;
    let mut seen = OrderedSet::new();
    let mut stack = alloc::vec![node];
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            stack.extend(tidegate_model::program::successors(&nodes[node as usize]));
        }
    }
    seen
}

/// The agents that arrived at an object in its running phase.
pub(super) fn arrived(replay: &Replay, object: usize) -> OrderedSet<usize> {
    let machine = &replay.machine;
    let phase = replay.state().mbarriers[object].phase;
    let arrives = |done: &&Done| {
        let nodes = &machine.context.program.body_of(done.step.agent).nodes;
        matches!(action_of(&nodes[done.node as usize]), Some(Action::Arrive { .. }))
    };
    let own = replay.done.iter().filter(|done| {
        done.note.copy.is_none()
            && done.note.object == Some(Object::Mbarrier(object))
            && done.note.phase == Some(phase)
            && !done.note.completes
    });
    own.filter(arrives).map(|done| done.step.agent).collect()
}

/// The last expect_tx at an object; it does not check for phase completion.
pub(super) fn last_expect(replay: &Replay, object: usize) -> Option<Act> {
    last_of(replay, object, |action| matches!(action, Action::Expect { .. })).map(act)
}

/// The last step of a kind at an object.
pub(super) fn last_of(
    replay: &Replay,
    object: usize,
    is: impl Fn(Action) -> bool,
) -> Option<&Done> {
    let at_it = |done: &&Done| {
        done.note.object == Some(Object::Mbarrier(object))
            && done_action(&replay.machine, done).is_some_and(&is)
    };
    replay.done.iter().rev().find(at_it)
}

/// Whether the counts of an object are zero, but its phase is incomplete.
pub(super) fn is_late(at: Mbarrier) -> bool {
    at.valid && at.pending == 0 && at.tx == 0
}

/// The mbarrier object on which an agent waits by parity, and the parity.
pub(super) fn by_parity(replay: &Replay, agent: usize) -> Option<(usize, i64)> {
    let state = replay.state();
    let Some(Object::Mbarrier(index)) = acts_on(&replay.machine, state, agent) else {
        return None;
    };
    match replay.machine.node(state, agent).and_then(action_of)? {
        Action::Wait { asked: Asked::Parity(parity), .. } => Some((index, parity)),
        _ => None,
    }
}
