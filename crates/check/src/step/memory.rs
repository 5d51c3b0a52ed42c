//! Memory in the view of an execution: the operations in flight of each agent, and the fences that synchronize.

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

/// The memory view after the performed steps. Steps are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemoryView {
    /// For each agent that marks or copies what it has in flight.
    pub flights: Vec<FlightView>,
    /// The fences that synchronize, each with the reason.
    pub synchronizes: Vec<Synchronization>,
    /// Conflicting accesses: every unordered pair, and those of the last access.
    pub pairs: Vec<PairView>,
    /// The counters that each agent has used, by agent; none on a target without counters that a program can name.
    pub counters: Vec<CounterView>,
}

/// A counter of outstanding memory operations of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CounterView {
    /// Index of the agent.
    pub agent: usize,
    /// Its name: `vmcnt`, `asynccnt`.
    pub counter: String,
    /// The steps whose accesses it may still show, the oldest first: as many as the hardware's shows at most.
    pub outstanding: Vec<usize>,
}

/// Two conflicting accesses, by different agents or by a copy and its own agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairView {
    /// The step of the earlier access.
    pub first: usize,
    /// The step of the later access.
    pub second: usize,
    /// Whether the first *happens-before* the second, whatever phases the waits depend on.
    pub ordered: bool,
    /// If it is ordered, the steps that order it: the wait that completes a copy, release fence, arrive, wait, acquire
    /// fence. Empty if the path leads through other agents.
    pub through: Vec<usize>,
    /// If it is not ordered, the missing edge, in sentences.
    pub missing: Vec<String>,
}

/// The operations in flight of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlightView {
    /// Index of the agent.
    pub agent: usize,
    /// The function bodies in progress, the outermost first, each with its sequence of marks.
    pub frames: Vec<FrameView>,
    /// The copies that it has started.
    pub copies: Vec<CopyView>,
}

/// A function body in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrameView {
    /// The statement that calls it; of the outermost the agent's name.
    pub name: String,
    /// Its outstanding marks, the oldest first.
    pub marks: Vec<MarkView>,
}

/// An outstanding mark.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MarkView {
    /// The step that made it.
    pub step: usize,
    /// Its line.
    pub line: u32,
    /// The steps of the outstanding copies that it covers and no older mark of its body does.
    pub covers: Vec<usize>,
}

/// A copy: a span from the step that starts it to the wait that completes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CopyView {
    /// The step that started it.
    pub step: usize,
    /// Its line.
    pub line: u32,
    /// The copy as written.
    pub operation: String,
    /// The step of the wait that completed it, unless it is outstanding.
    pub completed: Option<usize>,
}

/// Two fences that synchronize.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Synchronization {
    /// The step of the release fence.
    pub release: usize,
    /// The step of the arrive after it.
    pub arrive: usize,
    /// The step of the wait that the arrive is before.
    pub wait: usize,
    /// The step of the acquire fence after that.
    pub acquire: usize,
    /// The address spaces in which they synchronize: `local`, `global`.
    pub spaces: Vec<String>,
    /// Why, in a sentence.
    pub why: String,
}

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

fn memory(trail: &Trail<'_>, step: usize) -> Option<Memory> {
    match trail.action(step) {
        Some(Action::Memory(memory)) => Some(memory),
        _ => None,
    }
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
    if !steps().any(|step| memory(trail, step).is_some_and(Memory::is_asynchronous)) {
        return None;
    }
    let is_copy = |step: &usize| matches!(memory(trail, *step), Some(Memory::Copy { .. }));
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
        let fence = |step| match memory(trail, step) {
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
