//! A use of an mbarrier object that is not initialised: no init, an inval after it, or an unordered init.

use super::race;
use super::replay::{Done, Object, Replay, act, done_action, node_action, object_name, object_of};
use crate::cause::{Cause, Ptx, PtxFact};
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Action, Name, Place};
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::state::State;

/// Describes the violation and its reason.
pub(super) fn tell(
    scene: &Scene,
    replay: &Replay,
    before: &State,
    last: &Done,
) -> (Ptx, Vec<Cause>) {
    let machine = &replay.machine;
    let operation = act(last);
    let Some(index) = at_fault(replay, before, last) else {
        let rank = match done_action(machine, last).and_then(Action::name) {
            Some(Name { place: Place::Rank(rank), .. }) => i64::from(rank),
            _ => 0,
        };
        return (Ptx::NoCta { operation }, Vec::from([PtxFact::NoRank { rank }.into()]));
    };
    let of = Object::Mbarrier(index);
    let object = object_name(scene, machine, of);
    let steps = &replay.done[..replay.done.len() - 1];
    let at_it = steps.iter().enumerate().filter(|(_, done)| done.note.object == Some(of));
    let latest = at_it.rev().find_map(|(step, done)| match done_action(machine, done) {
        Some(Action::Init { .. }) => Some((step, done, true)),
        Some(Action::Inval { .. }) => Some((step, done, false)),
        _ => None,
    });
    match latest {
        Some((step, init, true)) => {
            let chance = PtxFact::InitByChance { init: act(init) };
            let between = race::between(scene, replay, step).into_iter().flatten();
            let facts = core::iter::once(chance.into()).chain(between.map(Cause::from)).collect();
            (Ptx::InitUnordered { operation, object }, facts)
        }
        Some((_, inval, false)) => {
            let facts = Vec::from([PtxFact::Invalidated { inval: act(inval) }.into()]);
            (Ptx::Uninitialised { operation, object }, facts)
        }
        None => (Ptx::Uninitialised { operation, object }, Vec::from([no_init(replay, of).into()])),
    }
}

/// Why the object is not initialised: no agent initialises it, or the init comes later.
fn no_init(replay: &Replay, object: Object) -> PtxFact {
    let machine = &replay.machine;
    let initialises = |&(agent, node, _): &(usize, u32, _)| {
        let action = node_action(machine, agent, node);
        let init = action.filter(|action| matches!(action, Action::Init { .. }));
        init.and_then(|action| object_of(machine, agent, action)) == Some(object)
    };
    match machine.context.operations().find(initialises) {
        Some((agent, node, _)) => PtxFact::InitLater { init: (agent, node) },
        None => PtxFact::NoInit,
    }
}

/// The help for an object that no agent initialises.
pub(super) fn remedy(scene: &Scene, replay: &Replay, last: &Done) -> Option<String> {
    let index = at_fault(replay, replay.states.get(replay.done.len() - 1)?, last)?;
    let object = Object::Mbarrier(index);
    let none = matches!(no_init(replay, object), PtxFact::NoInit);
    none.then(|| help::ptx::initialise(&object_name(scene, &replay.machine, object)))
}

/// The object of the use; for a copy to several CTAs, the first without an ordered init.
fn at_fault(replay: &Replay, before: &State, last: &Done) -> Option<usize> {
    let machine = &replay.machine;
    let agent = last.step.agent;
    if let Some(action) = done_action(machine, last).filter(|action| action.ranks().is_some()) {
        let bad = |&(index, _): &(usize, bool)| {
            !before.mbarriers[index].valid || !Machine::knows_init(before, agent, index)
        };
        if let Some((index, _)) = machine.objects(agent, action).find(bad) {
            return Some(index);
        }
    }
    match last.note.object {
        Some(Object::Mbarrier(index)) => Some(index),
        _ => None,
    }
}
