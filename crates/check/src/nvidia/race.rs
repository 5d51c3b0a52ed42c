//! A race: which two accesses of agents or asynchronous copies, and what is missing between them.

mod between;
mod grouped;
mod unheard;

use super::replay::{Done, Object, Replay, node_action, object_name};
use crate::explain::{self, Told};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Range;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Queue};
use tidegate_model::ptx::machine::action_of;
use tidegate_model::ptx::machine::memory::{Made, Who, copy_of, cta_of};
use tidegate_model::rule::RuleId;

/// Tells the race that the last step finds: one of a copy, or one of the agents' own accesses.
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
        None if of_copy(&old) => completes(scene, replay, (earlier, node, old), [&here, &there]),
        None if wanted => (
            format!(
                "Nothing orders {there} before {}.",
                if of_tensor(&new) { &here } else { "the start of the copy" }
            ),
            Some(format!("Order {there} before {here}, by a barrier or a wait between them.")),
        ),
        None => (format!("Nothing orders {there} before {here}."), None),
    };
    let (new, old) = (what(&new, &here), what(&old, &there));
    let message = format!("{new} bytes of {name} that {old}, and nothing orders the two.");
    Some(Told {
        message,
        because: alloc::vec![because],
        agent: Some(agent),
        node: Some(last.node),
        remedy,
        ..Told::default()
    })
}

/// What is missing between a step and the last one, which nothing orders.
pub(super) fn between(scene: &Scene, replay: &Replay, step: usize) -> Option<String> {
    between::look(scene, replay, step).map(|between| between.because)
}

/// What completes a copy, and that the agent at fault has not waited for it; and what would mend that, where the rule's own
/// remedy does not.
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
        _ => return (format!("Nothing orders {there} before {here}."), None),
    };
    let commits =
        |node| matches!(action_of(node), Some(Action::CopyArrive { of_copies: false, .. }));
    if queue == Queue::Tensor && machine.context.program.body_of(starter).nodes.iter().any(commits)
    {
        return (
            format!(
                "Tensor cores read until an arrive by a commit after {there} is waited for; no such wait is ordered before {here}."
            ),
            Some(format!(
                "Commit after {there}, and wait for the phase of that arrive before {here}."
            )),
        );
    }
    let is_there = |&(index, _): &(usize, bool)| match made.who {
        Who::Copy(event) => machine.named(index).1 & 0xfff == cta_of(event),
        Who::Agent(..) => true,
    };
    match machine.objects(starter, action).find(is_there) {
        Some((index, _)) => {
            let name = object_name(scene, machine, Object::Mbarrier(index));
            let because = format!(
                "The copy is known to be complete behind a wait for the phase of {name} that its bytes complete; no such wait is ordered before {here}."
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

/// The operation that made an earlier access, and its step where an agent made it.
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
