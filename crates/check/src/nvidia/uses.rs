//! A use of an mbarrier object that is not initialised: no init, an inval after it, or an unordered init.

use super::race;
use super::replay::{Done, Object, Replay, done_action, named, node_action, object_of, told};
use crate::explain;
use crate::scene::Scene;
use alloc::format;
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
) -> (String, Vec<String>) {
    let machine = &replay.machine;
    let what = told(scene, last);
    let Some(index) = at_fault(replay, before, last) else {
        let rank = match done_action(machine, last).and_then(Action::name) {
            Some(Name { place: Place::Rank(rank), .. }) => rank,
            _ => 0,
        };
        return (
            format!("{what} names an object of a CTA that does not exist"),
            Vec::from([format!("the cluster has no CTA of rank {rank}")]),
        );
    };
    let object = Object::Mbarrier(index);
    let name = named(scene, machine, object);
    let steps = &replay.done[..replay.done.len() - 1];
    let at_it = steps.iter().enumerate().filter(|(_, done)| done.note.object == Some(object));
    let latest = at_it.rev().find_map(|(step, done)| match done_action(machine, done) {
        Some(Action::Init { .. }) => Some((step, done, true)),
        Some(Action::Inval { .. }) => Some((step, done, false)),
        _ => None,
    });
    match latest {
        Some((step, init, true)) => {
            let order = "happened first here, but is not ordered before the use";
            let mut because = Vec::from([format!("{} {order}", told(scene, init))]);
            because.extend(race::between(scene, replay, step).into_iter().flatten());
            (format!("{what} is not ordered after the init of {name}"), because)
        }
        Some((_, inval, false)) => (
            format!("{what} uses {name}, which is not initialised"),
            Vec::from([format!("{} invalidated it, and no init follows", told(scene, inval))]),
        ),
        None => (
            format!("{what} uses {name}, which is not initialised"),
            Vec::from([no_init(scene, replay, object)]),
        ),
    }
}

/// Why the object is not initialised: no agent initialises it, or the init comes later.
fn no_init(scene: &Scene, replay: &Replay, object: Object) -> String {
    let machine = &replay.machine;
    let initialises = |&(agent, node, _): &(usize, u32, _)| {
        let action = node_action(machine, agent, node);
        let init = action.filter(|action| matches!(action, Action::Init { .. }));
        init.and_then(|action| object_of(machine, agent, action)) == Some(object)
    };
    match machine.context.operations().find(initialises) {
        Some((agent, node, _)) => {
            format!("its init {} comes later in this order", explain::operation(scene, agent, node))
        }
        None => "no agent initialises it".into(),
    }
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
