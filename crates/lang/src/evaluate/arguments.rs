//! Arguments of a kernel in one case: their values, and what was asked of them.

use crate::diagnostic::Diagnostic;
use crate::expression::Value;
use crate::expression::linear::{self, Reach};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::mem::operation::BufferId;
use tidegate_model::ordered::OrderedSet;

/// A value for each argument of kernels that has none of its own, and what was asked of it.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) values: Vec<i64>,
    pub(crate) reach: Reach,
    /// The last count of a named barrier that is more than any work-group could meet.
    pub(crate) count: Cell<Option<Value>>,
    /// What was last asked of a number that only an execution knows: its register, and a bound.
    pub(crate) asked: Cell<Option<(u16, u32)>>,
    /// How many of the values are of arguments; those behind are answers of data.
    pub(crate) passed: usize,
    /// The questions that were asked, and whether one was that data alone do not answer.
    pub(crate) questions: RefCell<OrderedSet<usize>>,
    pub(crate) doubt: RefCell<Option<Diagnostic>>,
    /// By memory how an argument moves every access to it, if one does.
    pub(super) shifts: RefCell<Vec<(BufferId, Shift)>>,
}

/// An argument, and by how much each step of it moves something.
pub(super) type Shift = Option<(u16, i64)>;

/// That of accesses which arguments move apart.
const APART: Shift = Some((u16::MAX, 0));

impl Arguments {
    /// The byte at which an access to a memory begins, at most at that one.
    ///
    /// Where an argument moves all accesses to a memory alike, they overlap for all of its values or for none.
    pub(super) fn begins(&self, buffer: BufferId, first: Value, most: i64) -> Value {
        let shift = linear::shift(first);
        let mut shifts = self.shifts.borrow_mut();
        match shifts.iter_mut().find(|(known, _)| *known == buffer) {
            None => shifts.push((buffer, shift)),
            Some((_, known)) if *known == shift => {}
            Some((_, known)) => {
                for (argument, _) in known.iter().chain(&shift) {
                    linear::settle(*argument, &self.reach);
                }
                *known = APART;
            }
        }
        Value::Int(linear::within(first, (0, most), &self.reach))
    }
}
