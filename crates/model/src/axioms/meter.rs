//! Limits of an enumeration. It counts steps, elementary work and stored bytes, so that it stops at the same point on every
//! machine.

/// The reason that an enumeration is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It reached its step limit.
    Steps,
    /// It reached its work limit.
    Work,
    /// An execution has more operations than a relation can hold.
    Operations,
    /// A path does not end within the limits, or there are too many paths.
    Paths,
    /// The caller asked to stop.
    Cancelled,
}

/// Work between two calls of `keep_going`: a few milliseconds.
const ASK: u64 = 1 << 21;
/// Fixed work of a step, in addition to the words it visits.
const STEP: usize = 256;
/// Work per stored byte, which keeps memory use far below the work limit.
const KEPT: u64 = 4;

/// Counts the work of an enumeration.
pub struct Meter<'a> {
    /// Steps so far.
    pub steps: u64,
    /// Elementary work so far: about one per visited word.
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
    /// A meter with limits. It calls `keep_going` periodically with the steps so far.
    pub fn new(steps: u64, work: u64, keep_going: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self { steps: 0, work: 0, most_steps: steps, most_work: work, asked: 0, keep_going }
    }

    /// Counts work.
    ///
    /// # Errors
    /// At the limit, or when the caller cancels.
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
    /// At a limit, or when the caller cancels.
    pub fn step(&mut self, work: usize) -> Result<(), Bound> {
        self.steps += 1;
        if self.steps > self.most_steps {
            return Err(Bound::Steps);
        }
        self.work(work + STEP)
    }

    /// Counts stored bytes.
    ///
    /// # Errors
    /// At the limit, or when the caller cancels.
    pub fn keep(&mut self, bytes: usize) -> Result<(), Bound> {
        self.work(bytes.saturating_mul(KEPT as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stop_the_enumeration() {
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
    fn the_caller_is_asked_periodically() {
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
