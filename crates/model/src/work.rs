//! Work done in analysing a program, counted so that a search can be bounded by what it costs and not by a clock.

use core::cell::Cell;

/// A count of looks: at a node that an agent could come to, or at an access that another could meet. Each takes some ten
/// nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Work(Cell<u64>);

impl Work {
    /// Counts some more.
    pub fn add(&self, looks: u64) {
        self.0.set(self.0.get().saturating_add(looks));
    }

    /// How many there were.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::Work;

    #[test]
    fn it_adds_up_and_never_overflows() {
        let work = Work::default();
        [1, 2, u64::MAX].into_iter().for_each(|looks| work.add(looks));
        assert_eq!(work.done(), u64::MAX);
    }
}
