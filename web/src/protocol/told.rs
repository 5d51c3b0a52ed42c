//! What the page has of an execution.

use super::course::{Band, Bar, Shown};
use tidegate_check::step::Performed;

/// What was told so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The steps performed, and those undone that can be performed again.
    pub steps: Vec<Performed>,
    /// How many of them are performed.
    pub cursor: usize,
    /// The phases of the steps performed.
    pub bands: Vec<Band>,
    /// Where agents waited and copies were in flight.
    pub bars: Vec<Bar>,
}

impl Told {
    /// Takes in what is told next: its steps, bands and bars leave it.
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
