//! When the panels beside the lanes follow a step.

use super::State;
use crate::track::Track;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// Up to how many agents there are where the panels follow at once.
const FEW: usize = 8;
/// How many frames the panels rest before they follow again.
const PAUSE: u32 = 11;
/// For how many frames that draw steps of their own they are put off then.
const PATIENCE: u32 = 5;

impl State {
    /// What a panel beside the lanes reads of the execution. The panel follows it.
    pub(crate) fn beside<T>(self, read: impl FnOnce(&Track) -> T) -> T {
        self.followed.get();
        self.track.with_untracked(read)
    }

    /// What a cell below the lanes reads of the execution: it follows each step, where there are many agents in the frame
    /// behind it. A barrier that is completed changes all of them.
    pub(crate) fn below<T>(self, read: impl FnOnce(&Track) -> T) -> T {
        self.trailed.get();
        self.track.with_untracked(read)
    }

    /// Has the panels beside the lanes follow the execution. Where there are many agents they do so in a frame behind the
    /// one that draws the step, and up to five times a second while steps go on: what the eye is on comes first.
    pub(crate) fn follow_beside(self) {
        let steps = Rc::new(Cell::new(0));
        let awaited = Rc::new(Cell::new(false));
        crate::dom::effect(Box::new(move || {
            if self.track.with(|track| track.agents().len() <= FEW) {
                return self.follow();
            }
            request_animation_frame(move || request_animation_frame(move || self.trail()));
            steps.set(steps.get() + 1);
            if !awaited.replace(true) {
                self.follow_later(steps.clone(), awaited.clone(), (1, PATIENCE));
            }
        }));
    }

    /// Follows after so many frames, if there was a step; in the first of so many behind them that draws no step itself, or
    /// in the last.
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

    /// Has the panels follow at once.
    pub(super) fn follow(self) {
        self.followed.update(|times| *times += 1);
        self.trail();
    }

    fn trail(self) {
        self.trailed.update(|times| *times += 1);
    }
}
