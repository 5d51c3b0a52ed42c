//! The operations in flight of one agent at each of its steps, and why a copy is in flight.

use super::trail::Trail;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::Action;

/// Why a copy is not completed at a later step of its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InFlight {
    /// No mark is in between.
    Unmarked,
    /// A mark is in between, without a wait after it.
    Unwaited {
        /// The first mark after the copy.
        mark: usize,
        /// With at most how many marks a wait at the later step would complete the copy.
        safe: u16,
    },
    /// A wait of the mark's function body is in between, and leaves the mark outstanding.
    Allowed {
        /// The wait.
        wait: usize,
        /// Number of marks that it leaves outstanding.
        most: u16,
        /// Number of marks that it may leave outstanding.
        safe: u16,
    },
    /// There are marks and waits in between, but in other function bodies.
    OtherBody {
        /// The mark.
        mark: usize,
        /// The wait.
        wait: usize,
    },
}

/// A mark or a wait of an agent: its step and its call.
#[derive(Clone, Copy, Debug)]
struct Point {
    step: usize,
    frame: usize,
    /// Number of marks that a wait leaves outstanding; `None` for a mark.
    most: Option<u16>,
}

/// Marks and waits of an agent before a step, each with the step that entered its function body (0 for the outermost).
fn points(trail: &Trail<'_>, agent: usize, to: usize, inlined: bool) -> (Vec<Point>, usize) {
    let (mut points, mut frames) = (Vec::new(), alloc::vec![0]);
    for step in trail.of(agent, 0, to) {
        let Some(Action::Memory(memory)) = trail.action(step) else { continue };
        let frame = frames.last().copied().unwrap_or(0);
        match memory {
            Memory::Mark => points.push(Point { step, frame, most: None }),
            Memory::WaitMarks(most) => points.push(Point { step, frame, most: Some(most) }),
            Memory::Enter if !inlined => frames.push(step + 1),
            Memory::Leave if !inlined && frames.len() > 1 => drop(frames.pop()),
            _ => {}
        }
    }
    (points, frames.last().copied().unwrap_or(0))
}

/// The marks of a function body after the first mark of a copy, before a step.
fn following(points: &[Point], copy: usize, frame: usize, to: usize) -> usize {
    let marks = points.iter().filter(|point| point.most.is_none() && point.frame == frame);
    marks.filter(|point| point.step > copy && point.step < to).count().saturating_sub(1)
}

/// The wait that completes a copy before a step of its agent, or why none does.
pub(crate) fn completion(trail: &Trail<'_>, copy: usize, to: usize) -> Result<usize, InFlight> {
    let (points, now) = points(trail, trail.agent(copy), to, trail.replay.machine.is_inlined());
    let later = || points.iter().filter(|point| point.step > copy);
    let mark_of = |frame: usize| later().find(|point| point.most.is_none() && point.frame == frame);
    for wait in later() {
        let (Some(most), Some(mark)) = (wait.most, mark_of(wait.frame)) else { continue };
        if mark.step < wait.step
            && following(&points, copy, wait.frame, wait.step) >= usize::from(most)
        {
            return Ok(wait.step);
        }
    }
    let Some(mark) = later().find(|point| point.most.is_none()) else {
        return Err(InFlight::Unmarked);
    };
    let waits = || later().filter(|point| point.most.is_some() && point.step > mark.step);
    let small = |count: usize| count.min(usize::from(u16::MAX)) as u16;
    let allowed =
        waits().rev_find(|wait| mark_of(wait.frame).is_some_and(|mark| mark.step < wait.step));
    if let Some(wait) = allowed {
        let safe = small(following(&points, copy, wait.frame, wait.step));
        return Err(InFlight::Allowed { wait: wait.step, most: wait.most.unwrap_or(0), safe });
    }
    match waits().next_back() {
        Some(wait) => Err(InFlight::OtherBody { mark: mark.step, wait: wait.step }),
        None => Err(InFlight::Unwaited {
            mark: mark.step,
            safe: small(following(&points, copy, now, to)),
        }),
    }
}

/// The last item that a test holds for.
trait RevFind: Iterator + Sized {
    fn rev_find(self, test: impl Fn(&Self::Item) -> bool) -> Option<Self::Item> {
        self.filter(|item| test(item)).last()
    }
}

impl<I: Iterator> RevFind for I {}

/// The function bodies that an agent has in progress before a step, the outermost first: the step that entered each, and its
/// outstanding marks, the oldest first.
pub(crate) fn sequences(
    trail: &Trail<'_>,
    agent: usize,
    to: usize,
) -> Vec<(Option<usize>, Vec<usize>)> {
    let inlined = trail.replay.machine.is_inlined();
    let mut frames: Vec<(Option<usize>, Vec<usize>)> = alloc::vec![(None, Vec::new())];
    for step in trail.of(agent, 0, to) {
        let Some(Action::Memory(memory)) = trail.action(step) else { continue };
        let Some((_, marks)) = frames.last_mut() else { continue };
        match memory {
            Memory::Mark => marks.push(step),
            Memory::WaitMarks(most) => {
                drop(marks.drain(..marks.len().saturating_sub(usize::from(most))))
            }
            Memory::Enter if !inlined => frames.push((Some(step), Vec::new())),
            Memory::Leave if !inlined && frames.len() > 1 => drop(frames.pop()),
            _ => {}
        }
    }
    frames
}
