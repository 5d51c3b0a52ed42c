//! Timing of the panels next to the lanes.

use super::State;
use crate::trace::Trace;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// Largest number of agents for which the panels update immediately.
const FEW: usize = 8;
/// Number of frames between updates of the panels.
const PAUSE: u32 = 11;
/// Largest number of frames that draw steps by which an update is then delayed.
const PATIENCE: u32 = 5;

impl State {
    /// Reads the execution for a panel next to the lanes, which then follows it.
    pub(crate) fn beside<T>(self, read: impl FnOnce(&Trace) -> T) -> T {
        self.execution.followed.track();
        self.execution.trace.with_untracked(read)
    }

    /// Reads the execution for a cell below the lanes. The cell follows each step; if there are many agents, one frame after the
    /// lanes, because a completed barrier changes every cell.
    pub(crate) fn below<T>(self, read: impl FnOnce(&Trace) -> T) -> T {
        self.execution.trailed.track();
        self.execution.trace.with_untracked(read)
    }

    /// Makes the panels next to the lanes follow the execution. If there are many agents, they update one frame after the step
    /// is drawn, and at most five times a second while steps continue, so that the lanes are drawn first.
    pub(crate) fn follow_beside(self) {
        let steps = Rc::new(Cell::new(0));
        let awaited = Rc::new(Cell::new(false));
        super::follow(move || {
            if self.execution.trace.with(|trace| trace.agents().len() <= FEW) {
                return self.follow();
            }
            request_animation_frame(move || request_animation_frame(move || self.trail()));
            steps.set(steps.get() + 1);
            if !awaited.replace(true) {
                self.follow_later(steps.clone(), awaited.clone(), (1, PATIENCE));
            }
        });
    }

    /// Updates after some frames if there was a step: in the first of the following frames that draws no step, or in the last.
    fn follow_later(self, steps: Rc<Cell<u32>>, awaited: Rc<Cell<bool>>, wait: (u32, u32)) {
        let seen = steps.get();
        request_animation_frame(move || match (wait, steps.get()) {
            ((0, _), 0) => awaited.set(false),
            ((0, more @ 1..), now) if now > seen => {
                self.follow_later(steps, awaited, (0, more - 1));
            }
            ((0, _), _) => {
                steps.set(0);
                self.follow();
                self.follow_later(steps, awaited, (PAUSE, PATIENCE));
            }
            ((frames, more), _) => self.follow_later(steps, awaited, (frames - 1, more)),
        });
    }

    /// Updates the panels immediately.
    pub(super) fn follow(self) {
        self.execution.followed.notify();
        self.trail();
    }

    fn trail(self) {
        self.execution.trailed.notify();
    }
}
