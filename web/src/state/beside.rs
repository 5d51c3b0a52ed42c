//! When the panels beside the lanes follow a step.

use super::State;
use crate::track::Track;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// Up to how many agents there are where the panels follow at once.
const FEW: usize = 8;
/// How many frames the panels rest before they follow again.
const PAUSE: i32 = 5;
/// For how many frames that draw steps of their own they are put off then, below zero.
const PATIENCE: i32 = -4;

impl State {
    /// What a panel beside the lanes reads of the execution. The panel follows it.
    pub(crate) fn beside<T>(self, read: impl FnOnce(&Track) -> T) -> T {
        self.followed.get();
        self.track.with_untracked(read)
    }

    /// Has the panels beside the lanes follow the execution. Where there are many agents they do so in a frame behind the
    /// one that draws the step, and some ten times a second while steps go on: what the eye is on comes first.
    pub(crate) fn follow_beside(self) {
        let steps = Rc::new(Cell::new(0));
        let awaited = Rc::new(Cell::new(false));
        crate::dom::effect(Box::new(move || {
            if self.track.with(|track| track.agents().len() <= FEW) {
                return self.follow();
            }
            steps.set(steps.get() + 1);
            if !awaited.replace(true) {
                self.follow_later(steps.clone(), awaited.clone(), 1);
            }
        }));
    }

    /// Follows after so many frames, if there was a step; not in a frame that draws a step itself, but for the last of them
    /// that it waits for.
    fn follow_later(self, steps: Rc<Cell<u32>>, awaited: Rc<Cell<bool>>, frames: i32) {
        let seen = steps.get();
        request_animation_frame(move || match (frames, steps.get()) {
            (..=0, 0) => awaited.set(false),
            (PATIENCE..=0, now) if now > seen => self.follow_later(steps, awaited, frames - 1),
            (..=0, _) => {
                steps.set(0);
                self.follow();
                self.follow_later(steps, awaited, PAUSE);
            }
            _ => self.follow_later(steps, awaited, frames - 1),
        });
    }

    fn follow(self) {
        self.followed.update(|times| *times += 1);
    }
}
