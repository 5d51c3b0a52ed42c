//! The outstanding operations of each agent in each counter, and their effect on a bare `s_barrier`.

use super::marks::completion;
use super::trail::Trail;
use crate::cause::{At, Cause, Finding, Memory as Fact};
use crate::edit::fix;
use crate::edit::written::Written;
use crate::replay::amdgpu::Replay;
use crate::scene::Scene;
use crate::tell::help;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::counters::{Queues, counted};
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Counter, Memory, Space};
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedSet;

/// The outstanding operations of an agent before a step, by the steps of its accesses.
pub(crate) fn outstanding(trail: &Trail<'_>, agent: usize, to: usize) -> Queues<usize> {
    let mut queues = Queues::default();
    let Some(target) = &trail.replay.machine.target else { return queues };
    let mut copies: OrderedSet<usize> = OrderedSet::new();
    for step in trail.of(agent, 0, to) {
        let Some(action @ Action::Memory(memory)) = trail.action(step) else { continue };
        match memory {
            Memory::Wait(waits) => queues.wait(waits),
            Memory::WaitMarks(_) => {
                let done = |copy: &usize| completion(trail, *copy, step + 1).is_ok();
                let finished: Vec<usize> = copies.iter().copied().filter(done).collect();
                for copy in finished {
                    queues.finish(copy);
                    copies.remove(&copy);
                }
            }
            _ => {
                if matches!(memory, Memory::Copy { .. }) {
                    copies.insert(step);
                }
                queues.issue(target, &counted(target, memory, space(trail, action)), step);
            }
        }
    }
    queues
}

/// The address space of the first access of an operation.
fn space(trail: &Trail<'_>, action: Action) -> Space {
    let buffers = &trail.replay.machine.context.program.buffers;
    let buffer = accesses(action).next().map_or(0, |access| usize::from(access.range.buffer));
    buffers.get(buffer).map_or(Space::Global, |buffer| buffer.space)
}

/// The finding that memory operations are outstanding where the last step issues a bare `s_barrier`.
pub(crate) fn tell(scene: &Scene, replay: &Replay) -> Option<Finding> {
    let trail = Trail::new(replay);
    let last = replay.done.len().checked_sub(1)?;
    let (agent, node) = (trail.agent(last), replay.done[last].node);
    let queues = outstanding(&trail, agent, last);
    let shown: Vec<(Counter, &[usize])> =
        queues.iter().filter(|(_, steps)| !steps.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    let at = |steps: &[usize]| -> Vec<At> {
        steps.iter().map(|&step| (agent, replay.done[step].node)).collect()
    };
    let counted = shown.iter().map(|(counter, steps)| Fact::Outstanding {
        counter: counter.name().to_owned(),
        operations: at(steps),
    });
    let facts = counted.chain([Fact::NoBackOff]).map(Cause::from).collect();
    let zeros: Vec<String> =
        shown.iter().map(|(counter, _)| format!("{}(0)", counter.name())).collect();
    let statement = format!("s_waitcnt {}", zeros.join(" "));
    let span = scene.source(agent, node).span;
    let help = help::memory::add(&statement, true, span.line);
    let operation = (agent, node);
    Some(Finding {
        fix: fix::fix(
            help.clone(),
            alloc::vec![Written::of(scene.text()).before(span, &statement)],
        ),
        help: Some(help),
        ..Finding::new(Fact::IssuedOutstanding { operation }, facts, Some(operation))
    })
}
