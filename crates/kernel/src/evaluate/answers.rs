//! Agreed data, which are the same for all agents, in one case: see `evaluate/agreed.rs`.

use super::recorded::{Bytes, Reading};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// A request for an agreed value: the value, the answer, the agent, and the number of its earlier requests.
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
    /// Whether this evaluation uses agreed data.
    pub(super) is_used: Cell<bool>,
    /// Whether an agent has read data that may be the same for all agents.
    pub(super) reads: Cell<bool>,
    /// Whether data have decided a branch on which synchronisation depends.
    decides: Cell<bool>,
    pub(super) answers: RefCell<OrderedMap<u64, bool>>,
    pub(super) asked: RefCell<Vec<Asked>>,
    /// The values that several agents asked for.
    pub(super) shared: RefCell<OrderedSet<u64>>,
    /// Bytes that an agent may write in an epoch in which another agent reads them: loads of them are data.
    pub(super) apart: RefCell<Vec<Bytes>>,
    /// Bytes that some agent may write: loads of them are the same only within one epoch.
    pub(super) written: RefCell<Vec<Bytes>>,
    /// The agreed data that the current operation reads.
    pub(super) reading: Cell<Option<Reading>>,
}

/// Whether two ranges of bytes have a byte in common.
pub(super) fn overlaps(one: Bytes, other: Bytes) -> bool {
    one.0 == other.0 && one.1 < other.2 && other.1 < one.2
}

impl Agreed {
    /// Whether agents have read data that may be the same for all, and data have decided a branch.
    pub(super) const fn is_useful(&self) -> bool {
        self.reads.get() && self.decides.get()
    }

    /// Records that data have decided a branch on which synchronisation depends.
    pub(super) fn decide(&self) {
        self.decides.set(true);
    }

    /// Starts a case with these answers.
    pub(super) fn begin(&self, answers: &[Asked]) {
        *self.answers.borrow_mut() = answers.iter().map(|one| (one.value, one.answer)).collect();
        *self.asked.borrow_mut() = answers.to_vec();
        self.shared.borrow_mut().clear();
    }

    /// The given answers of further cases. Each ends with the opposite of an answer that came after the first `given` ones.
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

    /// Takes the agreed data that the last operation has read.
    pub(super) fn take(&self) -> Option<Reading> {
        self.reading.take()
    }

    /// Whether a list contains one of these bytes.
    pub(super) fn contains(all: &RefCell<Vec<Bytes>>, bytes: Bytes) -> bool {
        all.borrow().iter().any(|known| overlaps(*known, bytes))
    }
}
