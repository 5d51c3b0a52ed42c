//! The outstanding operations of each agent in each counter, and their effect on a bare `s_barrier`.

use super::fix;
use super::marks::completion;
use super::trail::Trail;
use crate::explain::{self, Told};
use crate::replay::amdgpu::Replay;
use crate::scene::Scene;
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

/// Tells that memory operations are outstanding where the last step issues a bare `s_barrier`.
pub(crate) fn tell(scene: &Scene, replay: &Replay) -> Option<Told> {
    let trail = Trail::new(replay);
    let last = replay.done.len().checked_sub(1)?;
    let (agent, node) = (trail.agent(last), replay.done[last].node);
    let queues = outstanding(&trail, agent, last);
    let shown: Vec<(Counter, &[usize])> =
        queues.iter().filter(|(_, steps)| !steps.is_empty()).collect();
    if shown.is_empty() {
        return None;
    }
    let brief = |step: &usize| {
        let source = scene.source(agent, replay.done[*step].node);
        format!("`{}` (line {})", source.text, source.span.line)
    };
    let because = shown.iter().map(|(counter, steps)| {
        let said: Vec<String> = steps.iter().take(4).map(brief).collect();
        let more = if steps.len() > 4 { " and more" } else { "" };
        let verb = if steps.len() == 1 { "is" } else { "are" };
        let said = if more.is_empty() { explain::list(&said) } else { said.join(", ") };
        format!("{} may be {}: {said}{more} {verb} outstanding", counter.name(), steps.len())
    });
    let zeros: Vec<String> =
        shown.iter().map(|(counter, _)| format!("{}(0)", counter.name())).collect();
    let statement = format!("s_waitcnt {}", zeros.join(" "));
    let span = scene.source(agent, node).span;
    let remedy = format!("add `{statement}` before line {}", span.line);
    Some(Told {
        message: format!(
            "{} is issued with outstanding memory operations",
            explain::operation(scene, agent, node)
        ),
        because: because.chain(["the target has no back-off barrier".into()]).collect(),
        agent: Some(agent),
        node: Some(node),
        fix: fix::fix(remedy.clone(), alloc::vec![fix::before(span, &statement)]),
        remedy: Some(remedy),
        ..Told::default()
    })
}
