//! How much an enumeration may do: steps, elementary work and what it keeps are counted, so that it ends at the same place
//! on every machine.

/// Why an enumeration does not cover everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// More steps than were allowed.
    Steps,
    /// More elementary work than was allowed.
    Work,
    /// An execution of more operations than one can relate.
    Operations,
    /// A path without an end within bounds, or too many paths.
    Paths,
    /// The caller asked to stop.
    Cancelled,
}

impl Bound {
    /// The reason, as the end of a sentence.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Steps => "the enumeration took as many steps as it may",
            Self::Work => "the enumeration did as much work as it may",
            Self::Operations => {
                "an execution has more than the 128 operations that the axioms can relate"
            }
            Self::Paths => "an agent has a path without an end, or too many paths",
            Self::Cancelled => "it was cancelled",
        }
    }
}

/// Work between two questions whether to go on: some milliseconds.
const ASK: u64 = 1 << 21;
/// Work of a step besides what is looked at: what it makes.
const STEP: usize = 256;
/// Work that a kept byte counts as, so that what is kept stays far below what is done.
const KEPT: u64 = 4;

/// Counts what an enumeration does.
pub struct Meter<'a> {
    /// Steps so far.
    pub steps: u64,
    /// Elementary work so far: about one for each word that is looked at.
    pub work: u64,
    most_steps: u64,
    most_work: u64,
    asked: u64,
    keep_going: &'a mut dyn FnMut(u64) -> bool,
}

impl core::fmt::Debug for Meter<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Meter").field("steps", &self.steps).field("work", &self.work).finish()
    }
}

impl<'a> Meter<'a> {
    /// A meter with bounds. `keep_going` is asked now and then with the steps so far.
    pub fn new(steps: u64, work: u64, keep_going: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self { steps: 0, work: 0, most_steps: steps, most_work: work, asked: 0, keep_going }
    }

    /// Counts work.
    ///
    /// # Errors
    /// At the bound, or when the caller asks to stop.
    pub fn work(&mut self, work: usize) -> Result<(), Bound> {
        self.work = self.work.saturating_add(work as u64);
        if self.work > self.most_work {
            return Err(Bound::Work);
        }
        if self.work - self.asked >= ASK {
            self.asked = self.work;
            return if (self.keep_going)(self.steps) { Ok(()) } else { Err(Bound::Cancelled) };
        }
        Ok(())
    }

    /// Counts a step and its work.
    ///
    /// # Errors
    /// At a bound, or when the caller asks to stop.
    pub fn step(&mut self, work: usize) -> Result<(), Bound> {
        self.steps += 1;
        if self.steps > self.most_steps {
            return Err(Bound::Steps);
        }
        self.work(work + STEP)
    }

    /// Counts bytes that are kept.
    ///
    /// # Errors
    /// At the bound, or when the caller asks to stop.
    pub fn keep(&mut self, bytes: usize) -> Result<(), Bound> {
        self.work(bytes.saturating_mul(KEPT as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_met_by_counts() {
        let mut go = |_| true;
        let mut meter = Meter::new(2, 2_000, &mut go);
        assert_eq!(meter.step(0), Ok(()));
        assert_eq!(meter.step(0), Ok(()));
        assert_eq!(meter.step(0), Err(Bound::Steps));
        assert_eq!(meter.work(1_200), Ok(()));
        assert_eq!(meter.keep(100), Err(Bound::Work));
        assert_eq!(meter.work(usize::MAX), Err(Bound::Work));
    }

    #[test]
    fn the_caller_is_asked_within_some_work() {
        let mut asked = 0;
        let mut go = |_| {
            asked += 1;
            asked < 3
        };
        let mut meter = Meter::new(u64::MAX, u64::MAX, &mut go);
        let end = core::iter::repeat_with(|| meter.step(1 << 20)).find(Result::is_err);
        assert_eq!(end, Some(Err(Bound::Cancelled)));
        assert_eq!(meter.steps, 6);
    }
}
