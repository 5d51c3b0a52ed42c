//! Numbers that the host passes, as parts of terms.
//!
//! A term that contained the current value of an argument would be another term for each value. It contains how the number
//! depends on the argument instead, so that one case covers all values with the same control flow.

use super::super::thread::Surroundings;
use super::{Part, Terms};
use crate::expression::Value;
use crate::expression::linear::{now, shift};
use alloc::format;
use alloc::vec::Vec;

/// The notation of such a number, before its argument, its factor and its summand.
pub(super) const LINEAR: &str = "linear";

impl Terms {
    /// Whether a part is a number that depends on an argument.
    pub(super) fn is_number_of_host(&self, part: &Part) -> bool {
        let Part::Term(term) = part else { return false };
        let inner = self.0.borrow();
        inner.known.get(*term as usize).is_some_and(|known| known.whole && known.fixed)
    }
}

impl Surroundings<'_> {
    /// A value as an operand of a term.
    pub(crate) fn operand(&self, value: Value) -> Value {
        let Some((argument, factor)) = shift(value) else { return value };
        let passed = self.arguments.values.get(usize::from(argument)).copied().unwrap_or(0);
        let summand = now(value).wrapping_sub(factor.wrapping_mul(passed));
        let shape = format!("{LINEAR} {argument} {factor} {summand}");
        Value::Data(self.instances.terms.number(&shape, Vec::new(), None))
    }

    /// A value as a part of a term.
    pub(crate) fn part(&self, value: Value) -> Part {
        Part::of(self.operand(value))
    }
}
