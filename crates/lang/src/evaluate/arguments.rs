//! Kernel arguments in one case: their values, and the questions that evaluation asked of them.

use crate::diagnostic::Diagnostic;
use crate::expression::Value;
use crate::expression::linear::{self, Reach};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::mem::operation::BufferId;
use tidegate_model::ordered::OrderedSet;

/// A value for each kernel argument without a declared value, and the questions asked of it.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) values: Vec<i64>,
    pub(crate) reach: Reach,
    /// The last count of a named barrier that exceeds the size of any work-group.
    pub(crate) count: Cell<Option<Value>>,
    /// The last question about a number that only an execution knows: its register, and a limit.
    pub(crate) asked: Cell<Option<(u16, u32)>>,
    /// Number of values of arguments; the values after them are outcomes of conditions on data.
    pub(crate) passed: usize,
    /// The questions asked so far whose outcomes depend on data.
    pub(crate) questions: RefCell<OrderedSet<usize>>,
    pub(crate) doubt: RefCell<Option<Diagnostic>>,
    /// For each memory, the argument that shifts every access to it, if there is one.
    pub(super) shifts: RefCell<Vec<(BufferId, Shift)>>,
}

/// An argument, and the number of bytes by which a step of 1 shifts an access.
pub(super) type Shift = Option<(u16, i64)>;

/// The shift of a memory whose accesses are shifted differently.
const APART: Shift = Some((u16::MAX, 0));

impl Arguments {
    /// Returns the byte at which an access to a memory begins, limited to `most`.
    ///
    /// If an argument shifts all accesses to a memory equally, they overlap for all of its values or for none.
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
