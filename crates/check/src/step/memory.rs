//! Memory in the view of an execution: the operations in flight of each agent, and the fences that synchronize.

use super::view::{
    CopyView, CounterView, FlightView, FrameView, MarkView, MemoryView, Synchronization,
};
use crate::memory::counters::outstanding;
use crate::memory::gap::apart;
use crate::memory::marks;
use crate::memory::pairs::pairs;
use crate::memory::trail::Trail;
use crate::replay::amdgpu::{Done, Replay};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Counter, Fence, Memory, Space};
use tidegate_model::mem::order::{Reach, reach};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;

/// Whether any step is on memory.
fn is_used(replay: &Replay) -> bool {
    let program = &replay.machine.context.program;
    let is_memory = |done: &Done| {
        let node = &program.body_of(done.step.agent).nodes[done.node as usize];
        matches!(node, Node::Operation { operation, .. } if matches!(operation.action, Action::Memory(_)))
    };
    replay.done.iter().any(is_memory)
}

/// Looks at a replayed execution.
pub(super) fn view(scene: &Scene, replay: &Replay) -> MemoryView {
    if !is_used(replay) {
        return MemoryView::default();
    }
    let trail = Trail::new(replay);
    let agents = 0..replay.machine.context.program.agents.len();
    let flights = agents.filter_map(|agent| flight(scene, &trail, agent)).collect();
    let pairs = pairs(scene, &trail);
    let counters = counters(&trail);
    MemoryView { flights, synchronizes: synchronizes(scene, &trail), pairs, counters }
}

/// Looks at the counters of a replayed execution.
pub(super) fn counters_of(replay: &Replay) -> Vec<CounterView> {
    if is_used(replay) { counters(&Trail::new(replay)) } else { Vec::new() }
}

fn counters(trail: &Trail<'_>) -> Vec<CounterView> {
    let now = trail.replay.done.len();
    let of = |agent: usize| -> Vec<CounterView> {
        let queues = outstanding(trail, agent, now);
        let view = |(counter, steps): (Counter, &[usize])| CounterView {
            agent,
            counter: counter.name().to_owned(),
            outstanding: steps.to_vec(),
        };
        queues.iter().map(view).collect()
    };
    (0..trail.replay.machine.context.program.agents.len()).flat_map(of).collect()
}

fn line(scene: &Scene, trail: &Trail<'_>, step: usize) -> u32 {
    let done = &trail.replay.done[step];
    scene.source(done.step.agent, done.node).span.line
}

fn text(scene: &Scene, trail: &Trail<'_>, step: usize) -> String {
    let done = &trail.replay.done[step];
    scene.source(done.step.agent, done.node).text
}

fn flight(scene: &Scene, trail: &Trail<'_>, agent: usize) -> Option<FlightView> {
    let now = trail.replay.done.len();
    let steps = || trail.of(agent, 0, now);
    if !steps().any(|step| trail.memory(step).is_some_and(Memory::is_asynchronous)) {
        return None;
    }
    let is_copy = |step: &usize| matches!(trail.memory(*step), Some(Memory::Copy { .. }));
    let copies: Vec<CopyView> = steps()
        .filter(is_copy)
        .map(|step| CopyView {
            step,
            line: line(scene, trail, step),
            operation: text(scene, trail, step),
            completed: marks::completion(trail, step, now).ok(),
        })
        .collect();
    let frames = marks::sequences(trail, agent, now)
        .into_iter()
        .map(|(entered, marks)| frame(scene, trail, agent, entered, &marks, &copies))
        .collect();
    Some(FlightView { agent, frames, copies })
}

fn frame(
    scene: &Scene,
    trail: &Trail<'_>,
    agent: usize,
    entered: Option<usize>,
    marks: &[usize],
    copies: &[CopyView],
) -> FrameView {
    let name =
        entered.map_or_else(|| scene.agent_name(agent).to_owned(), |step| text(scene, trail, step));
    let mut older = 0;
    let mark = |&step: &usize| {
        let covered = copies
            .iter()
            .filter(|copy| copy.completed.is_none() && copy.step >= older && copy.step < step);
        let covers = covered.map(|copy| copy.step).collect();
        older = step;
        MarkView { step, line: line(scene, trail, step), covers }
    };
    FrameView { name, marks: marks.iter().map(mark).collect() }
}

pub(crate) fn synchronizes(scene: &Scene, trail: &Trail<'_>) -> Vec<Synchronization> {
    let count = trail.replay.done.len();
    let fences = |wanted: fn(Fence) -> bool| -> Vec<(usize, Fence)> {
        let fence = |step| match trail.memory(step) {
            Some(Memory::Fence(fence)) if wanted(fence) => Some((step, fence)),
            _ => None,
        };
        (0..count).filter_map(fence).collect()
    };
    let acquires = fences(|fence| fence.acquire);
    let mut found = Vec::new();
    for (release, first) in fences(|fence| fence.release) {
        for &(acquire, second) in acquires.iter().filter(|(acquire, _)| *acquire > release) {
            found.extend(pair(scene, trail, (release, first), (acquire, second)));
        }
    }
    found
}

/// Whether two fences of different agents synchronize: through the first arrive with the first wait after it.
fn pair(
    scene: &Scene,
    trail: &Trail<'_>,
    (release, first): (usize, Fence),
    (acquire, second): (usize, Fence),
) -> Option<Synchronization> {
    let (giver, taker) = (trail.agent(release), trail.agent(acquire));
    let far = apart(trail, giver, taker);
    let reaches = |fence: Fence| {
        reach(fence.scope, fence.one_as, fence.spaces).is_some_and(|reach: Reach| reach >= far)
    };
    if giver == taker || !reaches(first) || !reaches(second) {
        return None;
    }
    let both = [(Space::Local, "local"), (Space::Global, "global")].into_iter();
    let spaces: Vec<String> = both
        .filter(|(space, _)| first.spaces.contains(*space) && second.spaces.contains(*space))
        .map(|(_, name)| name.to_owned())
        .collect();
    if spaces.is_empty() {
        return None;
    }
    let waits = || trail.of(taker, release, acquire).filter(|&step| trail.waits(step));
    let arrives = trail.of(giver, release, acquire).filter(|&step| trail.arrives(step));
    let (arrive, wait) = arrives.into_iter().find_map(|arrive| {
        waits().find(|&wait| trail.before(arrive, wait)).map(|wait| (arrive, wait))
    })?;
    let said =
        |step: usize| format!("`{}` (line {})", text(scene, trail, step), line(scene, trail, step));
    let why = format!(
        "{} is before {}, {} is before {}, and both scopes include both waves.",
        said(release),
        said(arrive),
        said(wait),
        said(acquire)
    );
    Some(Synchronization { release, arrive, wait, acquire, spaces, why })
}

/// The kind of a step on memory.
pub(crate) const fn kind(memory: Memory) -> &'static str {
    match memory {
        Memory::Load(_) => "load",
        Memory::Store(_) => "store",
        Memory::Copy { .. } => "copy",
        Memory::Fence(_) => "fence",
        Memory::Mark => "mark",
        Memory::WaitMarks(_) => "wait-marks",
        Memory::Wait(_) => "wait-counters",
        Memory::Enter | Memory::Leave => "other",
    }
}
