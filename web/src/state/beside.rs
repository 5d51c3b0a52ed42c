//! When the panels beside the lanes follow a step.

use super::State;
use crate::track::Track;
use leptos::prelude::*;

/// Up to how many agents there are where the panels follow at once.
const FEW: usize = 8;

impl State {
    /// What a panel beside the lanes reads of the execution. The panel follows it.
    pub(crate) fn beside<T>(self, read: impl FnOnce(&Track) -> T) -> T {
        self.followed.get();
        self.track.with_untracked(read)
    }

    /// Has the panels beside the lanes follow the execution. Where there are many agents they do so in the frame behind the
    /// one that draws the step: a step held down has two frames for its work, and what the eye is on comes first.
    pub(crate) fn follow_beside(self) {
        let due = RwSignal::new(false);
        crate::dom::effect(Box::new(move || {
            if self.track.with(|track| track.agents().len() <= FEW) {
                return self.follow();
            }
            if !due.get_untracked() {
                due.set(true);
                request_animation_frame(move || {
                    request_animation_frame(move || {
                        due.set(false);
                        self.follow();
                    });
                });
            }
        }));
    }

    fn follow(self) {
        self.followed.update(|times| *times += 1);
    }
}
