//! Numbers that the host passes, as parts of terms.
//!
//! A term that contained the current value of an argument would be another term for each value. It contains how the number
//! depends on the argument instead, so that one case covers all values with the same control flow.

use super::{Part, Terms};
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

    /// The term of a number that depends on an argument.
    pub(crate) fn number_of_host(&self, argument: u16, factor: i64, summand: i64) -> u32 {
        self.number(&format!("{LINEAR} {argument} {factor} {summand}"), Vec::new(), None)
    }
}
