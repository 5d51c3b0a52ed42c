//! Conflicting accesses of an execution, with their order or the missing order.

use super::gap::{Gap, Side, gap};
use super::marks::completion;
use super::tell;
use super::trail::Trail;
use crate::scene::Scene;
use crate::step::view::PairView;
use crate::tell::notes;
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Memory, Space};
use tidegate_model::operation::{Action, Alike};
use tidegate_model::program::Node;

/// Limit of reported pairs.
const MOST: usize = 32;

/// Every pair that nothing orders, and those of the last access.
pub(crate) fn pairs(scene: &Scene, trail: &Trail<'_>) -> Vec<PairView> {
    if trail.replay.state().memory.is_none() {
        return Vec::new();
    }
    let touched: Vec<(usize, Vec<Access>)> = (0..trail.replay.done.len())
        .map(|step| (step, trail.action(step).into_iter().flat_map(accesses).collect()))
        .filter(|(_, accesses): &(usize, Vec<Access>)| !accesses.is_empty())
        .collect();
    let last = touched.last().map(|(step, _)| *step);
    let mut found = Vec::new();
    for (at, (second, own)) in touched.iter().enumerate() {
        let races = racing(trail, *second);
        for (first, others) in &touched[..at] {
            let Some(space) = meet(trail, (*first, others), (*second, own)) else { continue };
            let race = races.contains(first);
            if found.len() < MOST && (race || last == Some(*second)) {
                found.push(pair(scene, trail, (*first, *second), race, space));
            }
        }
    }
    found
}

/// The earlier steps that a step races with, under some choice of phases.
fn racing(trail: &Trail<'_>, second: usize) -> Vec<usize> {
    let replay = trail.replay;
    let found = replay.machine.races(&replay.states[second], trail.agent(second), false);
    let step = |agent, node| {
        (0..second).rev().find(|&step| trail.agent(step) == agent && replay.done[step].node == node)
    };
    found.into_iter().filter_map(|conflict| step(conflict.agent, conflict.node)).collect()
}

/// The address space in which two steps conflict, unless program order orders them.
fn meet(trail: &Trail<'_>, first: (usize, &[Access]), second: (usize, &[Access])) -> Option<Space> {
    let (one, other) = (trail.agent(first.0), trail.agent(second.0));
    let excused = alike(trail, first.0).excuses(alike(trail, second.0));
    if excused || one == other && !is_copy(trail, first.0) {
        return None;
    }
    let program = &trail.replay.machine.context.program;
    let together = program.agents[one].workgroup == program.agents[other].workgroup;
    first.1.iter().find_map(|access| {
        let space = program.buffers.get(usize::from(access.range.buffer))?.space;
        let meets = second.1.iter().any(|other| access.conflicts(*other));
        (meets && (together || space == Space::Global)).then_some(space)
    })
}

/// Which accesses the access of a step never races with.
fn alike(trail: &Trail<'_>, step: usize) -> Alike {
    let program = &trail.replay.machine.context.program;
    let node = trail.replay.done[step].node as usize;
    match program.body_of(trail.agent(step)).nodes.get(node) {
        Some(Node::Operation { operation, .. }) => operation.alike,
        _ => Alike::None,
    }
}

fn is_copy(trail: &Trail<'_>, step: usize) -> bool {
    matches!(trail.action(step), Some(Action::Memory(Memory::Copy { .. })))
}

fn pair(
    scene: &Scene,
    trail: &Trail<'_>,
    (first, second): (usize, usize),
    race: bool,
    space: Space,
) -> PairView {
    let told =
        || tell::between(scene, trail, first, second).map(|found| notes(scene, &found.facts));
    let missing = if race { told().unwrap_or_default() } else { Vec::new() };
    let through = if race { Vec::new() } else { through(trail, first, second, space) };
    PairView { first, second, ordered: !race, through, missing }
}

/// The steps through which one access happens-before another.
fn through(trail: &Trail<'_>, first: usize, second: usize, space: Space) -> Vec<usize> {
    let (copy, same) = (is_copy(trail, first), trail.agent(first) == trail.agent(second));
    let end = if same { second } else { trail.replay.done.len() };
    let completed = copy.then(|| completion(trail, first, end).ok()).flatten();
    let edges = match gap(trail, first, copy, second, space) {
        Gap::Fences {
            arrive,
            wait,
            release: Side::Fine(release),
            acquire: Side::Fine(acquire),
        } => {
            alloc::vec![release, arrive, wait, acquire]
        }
        _ if same => Vec::new(),
        _ => return Vec::new(),
    };
    completed.into_iter().chain(edges).collect()
}
