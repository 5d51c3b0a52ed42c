//! Data on which all agents agree, in one case: see `agreed.rs`.

use super::recorded::{Bytes, Reading};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// A request for an agreed value: the value, the answer, and the number of earlier requests of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(super) value: u64,
    pub(super) answer: bool,
    pub(super) agent: (u32, u32),
    pub(super) before: u32,
}

/// The answers of a case.
#[derive(Debug, Default)]
pub(crate) struct Agreed {
    /// Whether agents agree on data.
    pub(super) is_used: Cell<bool>,
    /// Whether data that agents could agree on were read, and whether data decided about synchronisation.
    pub(super) reads: Cell<bool>,
    decides: Cell<bool>,
    pub(super) answers: RefCell<OrderedMap<u64, bool>>,
    pub(super) asked: RefCell<Vec<Asked>>,
    /// The values that several agents asked for.
    pub(super) shared: RefCell<OrderedSet<u64>>,
    /// Bytes that agents read and write in one epoch; and those that some agent writes in another one.
    pub(super) apart: RefCell<Vec<Bytes>>,
    pub(super) written: RefCell<Vec<Bytes>>,
    /// What the operation that is being evaluated relies on.
    pub(super) reading: Cell<Option<Reading>>,
}

/// Whether two ranges of bytes have a byte in common.
pub(super) fn overlaps(one: Bytes, other: Bytes) -> bool {
    one.0 == other.0 && one.1 < other.2 && other.1 < one.2
}

impl Agreed {
    /// Whether agents may agree on data that decide.
    pub(super) const fn is_useful(&self) -> bool {
        self.reads.get() && self.decides.get()
    }

    /// Data decide about synchronisation.
    pub(super) fn decide(&self) {
        self.decides.set(true);
    }

    /// Begins a case with some answers.
    pub(super) fn begin(&self, answers: &[Asked]) {
        *self.answers.borrow_mut() = answers.iter().map(|one| (one.value, one.answer)).collect();
        *self.asked.borrow_mut() = answers.to_vec();
        self.shared.borrow_mut().clear();
    }

    /// The beginnings of further cases: in each, one answer after those that were given is another one.
    pub(super) fn others(&self, given: usize) -> Vec<Vec<Asked>> {
        let asked = self.asked.borrow();
        let other = |at: usize| {
            let mut all = asked[..=at].to_vec();
            all.iter_mut().skip(at).for_each(|one| one.answer = !one.answer);
            all
        };
        (given..asked.len()).map(other).collect()
    }

    /// Whether several agents asked for each value.
    pub(super) fn are_shared(&self) -> bool {
        let shared = self.shared.borrow();
        self.asked.borrow().iter().all(|one| shared.contains(&one.value))
    }

    /// The answers of the case.
    pub(super) fn answers(&self) -> Vec<bool> {
        self.asked.borrow().iter().map(|one| one.answer).collect()
    }

    /// What the operation relies on that was evaluated last, once.
    pub(super) fn take(&self) -> Option<Reading> {
        self.reading.take()
    }

    /// Whether some bytes of a list are among others.
    pub(super) fn contains(all: &RefCell<Vec<Bytes>>, bytes: Bytes) -> bool {
        all.borrow().iter().any(|known| overlaps(*known, bytes))
    }
}
