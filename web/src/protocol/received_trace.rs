//! The part of an execution that the page has.

use super::trace_update::{Band, Bar, Shown};
use tidegate_check::step::Performed;

/// The received part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedTrace {
    /// The performed steps, and the undone ones that can be redone.
    pub steps: Vec<Performed>,
    /// Number of performed steps.
    pub cursor: usize,
    /// The phases of the performed steps.
    pub bands: Vec<Band>,
    /// The rows of waits and of copies in flight.
    pub bars: Vec<Bar>,
}

impl ReceivedTrace {
    /// Applies an update; takes its steps, bands and bars.
    pub fn hear(&mut self, shown: &mut Shown) {
        let steps = std::mem::take(&mut shown.view.performed);
        let known = self.steps.len();
        let kept = shown.kept.min(known);
        self.cursor = kept + steps.len();
        self.steps.splice(kept..self.cursor.min(known), steps);
        self.steps.truncate(self.cursor + shown.ahead);
        self.bands.retain(|band| band.complete && band.to < kept);
        self.bands.append(&mut shown.bands);
        self.bars.retain(|bar| bar.ended.is_some_and(|row| row < kept));
        self.bars.append(&mut shown.bars);
    }
}
