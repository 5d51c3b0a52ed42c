//! A count of the work spent on analysing a program, which bounds a search independently of the clock.

use core::cell::Cell;

/// A count of visits of a reachable node or of a possibly conflicting access. Each takes about ten nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Work(Cell<u64>);

impl Work {
    /// Adds to the count.
    pub fn add(&self, looks: u64) {
        self.0.set(self.0.get().saturating_add(looks));
    }

    /// The count.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::Work;

    #[test]
    fn the_count_adds_up_and_never_overflows() {
        let work = Work::default();
        [1, 2, u64::MAX].into_iter().for_each(|looks| work.add(looks));
        assert_eq!(work.done(), u64::MAX);
    }
}
