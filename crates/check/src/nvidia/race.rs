//! A race: which two accesses of agents or asynchronous copies, and what is missing between them.

mod between;
mod grouped;
mod unheard;

use super::replay::{Done, Object, Replay, named, node_action};
use crate::explain::{self, Told};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Range;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Queue};
use tidegate_model::ptx::machine::action_of;
use tidegate_model::ptx::machine::memory::{Made, Who, copy_of, cta_of};
use tidegate_model::rule::RuleId;

/// Describes the race of the last step: of a copy, or of accesses of agents.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Option<Told> {
    let last = replay.done.last()?;
    let agent = last.step.agent;
    let before = &replay.states[replay.done.len() - 1];
    let of_copy = |made: &Made| matches!(made.who, Who::Copy(_));
    let raced = replay.machine.raced(before, agent);
    let wanted = rule == RuleId::PtxAsyncCopyAccess;
    let [old, new] =
        raced.into_iter().find(|[old, new]| (of_copy(old) || of_copy(new)) == wanted)?;
    let (earlier, node, step) = at(replay, old)?;
    let here = explain::operation(scene, agent, last.node);
    let there = explain::operation(scene, earlier, node);
    let name = scene.buffer_name(old.range.buffer);
    let of_tensor = |made: &Made| match made.who {
        Who::Copy(event) => {
            let (agent, node) = copy_of(event);
            matches!(node_action(&replay.machine, agent, node), Some(Action::Tensor { .. }))
        }
        Who::Agent(..) => false,
    };
    let what = |made: &Made, operation: &str| match (of_copy(made) && !of_tensor(made), made.write)
    {
        (true, true) => format!("the copy started by {operation} writes"),
        (true, false) => format!("the copy started by {operation} reads"),
        (false, true) => format!("{operation} writes"),
        (false, false) => format!("{operation} reads"),
    };
    let between = match step {
        Some(step) if !wanted => between::look(scene, replay, step),
        _ => None,
    };
    let (because, remedy) = match between {
        Some(between) => (between.because, Some(between.remedy)),
        None if of_copy(&old) => {
            let (because, remedy) = completes(scene, replay, (earlier, node, old), [&here, &there]);
            (Vec::from([because]), remedy)
        }
        None if wanted => {
            let start = if of_tensor(&new) { &here } else { "the start of the copy" };
            let remedy = format!("order {there} before {here} with a barrier or a wait");
            (Vec::from([format!("{there} is not ordered before {start}")]), Some(remedy))
        }
        None => (Vec::from([format!("{there} is not ordered before {here}")]), None),
    };
    let (new, old) = (what(&new, &here), what(&old, &there));
    let message = format!("{new} bytes of `{name}` that {old}, and the two are unordered");
    Some(Told {
        message,
        because,
        agent: Some(agent),
        node: Some(last.node),
        remedy,
        ..Told::default()
    })
}

/// Why a step is not ordered before the last one.
pub(super) fn between(scene: &Scene, replay: &Replay, step: usize) -> Option<Vec<String>> {
    between::look(scene, replay, step).map(|between| between.because)
}

/// The note on the missing wait for a copy, and the help if that of the rule does not apply.
fn completes(
    scene: &Scene,
    replay: &Replay,
    (starter, node, made): (usize, u32, Made),
    [here, there]: [&str; 2],
) -> (String, Option<String>) {
    let machine = &replay.machine;
    let (action, queue) = match node_action(machine, starter, node) {
        Some(action @ Action::Copy { bulk: true, .. }) => (action, Queue::Bulk),
        Some(action @ Action::Copy { bulk: false, .. }) => (action, Queue::Thread),
        Some(action @ Action::Tensor { .. }) => (action, Queue::Tensor),
        _ => return (format!("{there} is not ordered before {here}"), None),
    };
    let commits =
        |node| matches!(action_of(node), Some(Action::CopyArrive { of_copies: false, .. }));
    if queue == Queue::Tensor && machine.context.program.body_of(starter).nodes.iter().any(commits)
    {
        return (
            format!(
                "tensor cores read until the arrive of a commit after {there}; no wait for it is ordered before {here}"
            ),
            Some(format!(
                "commit after {there}, and wait for the phase of that arrive before {here}"
            )),
        );
    }
    let is_there = |&(index, _): &(usize, bool)| match made.who {
        Who::Copy(event) => machine.named(index).1 & 0xfff == cta_of(event),
        Who::Agent(..) => true,
    };
    match machine.objects(starter, action).find(is_there) {
        Some((index, _)) => {
            let name = named(scene, machine, Object::Mbarrier(index));
            let because = format!(
                "the copy completes with a phase of {name}; no wait for that phase is ordered before {here}"
            );
            (because, None)
        }
        None => {
            let copy = grouped::Copy { starter, node, queue, writes: made.write };
            let (because, remedy) = grouped::tell(scene, replay, copy, here);
            (because, Some(remedy))
        }
    }
}

/// The operation of an earlier access, and its step if an agent performed it.
fn at(replay: &Replay, made: Made) -> Option<(usize, u32, Option<usize>)> {
    match made.who {
        Who::Copy(event) => {
            let (agent, node) = copy_of(event);
            Some((agent, node, None))
        }
        Who::Agent(agent, _) => {
            let made_it = |done: &&Done| {
                done.note.copy.is_none()
                    && done.step.agent == agent as usize
                    && reaches(replay, done, made.range)
            };
            let before = &replay.done[..replay.done.len() - 1];
            let step = before.iter().rposition(|done| made_it(&done))?;
            Some((before[step].step.agent, before[step].node, Some(step)))
        }
    }
}

fn reaches(replay: &Replay, done: &Done, range: Range) -> bool {
    let nodes = &replay.machine.context.program.body_of(done.step.agent).nodes;
    match &nodes[done.node as usize] {
        Node::Operation { operation, .. } => {
            accesses(operation.action).any(|access| access.range == range)
        }
        _ => false,
    }
}
