//! The effect of each operation on the counts of an mbarrier object.
//!
//! PTX ISA 9.1, "mbarrier". Transitions are total. The phase is a number; its parity is derived.

use crate::ptx::mbarrier;
use crate::ptx::object::{Law, Mbarrier, Outcome};
use crate::rule::RuleId;

/// A modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// *init* with a count.
    Init(i64),
    /// *inval*.
    Inval,
    /// *arrive*, after expecting bytes.
    Arrive {
        /// Arrivals.
        count: i64,
        /// Whether later phases expect as many fewer.
        drop: bool,
        /// Whether it must not complete the phase.
        no_complete: bool,
        /// Bytes expected first.
        expect: i64,
    },
    /// *expect_tx*.
    Expect(i64),
    /// *complete_tx*.
    Complete(i64),
    /// Increments the pending count for a later arrive.
    Increment,
}

impl Mbarrier {
    /// Performs a modification.
    ///
    /// # Errors
    /// The broken rule, if the state of the object is undefined after it.
    pub fn apply(self, change: Change, law: Law) -> Result<Outcome, RuleId> {
        if law.text && !matches!(change, Change::Init(_)) {
            mbarrier::valid_object::check(self)?;
        }
        match change {
            Change::Init(count) => self.init(count, law),
            Change::Inval => Ok(kept(Self::default())),
            Change::Arrive { count, drop, no_complete, expect } => {
                self.arrive(count, drop, no_complete, expect, law)
            }
            Change::Expect(bytes) => {
                let expecting = self.with_tx(i64::from(self.tx).saturating_add(bytes), law)?;
                Ok(mbarrier::late_expect_tx::after(self, expecting, law))
            }
            Change::Complete(bytes) => {
                Ok(self.with_tx(i64::from(self.tx).saturating_sub(bytes), law)?.settled(None))
            }
            Change::Increment => mbarrier::cp_async_overflow::check(self, law).map(kept),
        }
    }

    fn init(self, count: i64, law: Law) -> Result<Outcome, RuleId> {
        if law.text {
            mbarrier::init_on_valid::check(self)?;
            mbarrier::count_range::check(count)?;
        }
        let count = narrow(count);
        let fresh = Self {
            valid: true,
            pending: count,
            expected: count,
            observed: true,
            ..Self::default()
        };
        Ok(kept(fresh))
    }

    fn arrive(
        self,
        count: i64,
        drop: bool,
        no_complete: bool,
        expect: i64,
        law: Law,
    ) -> Result<Outcome, RuleId> {
        let mut broken = None;
        let narrowed = narrow(count);
        let expected = if drop { self.expected.wrapping_sub(narrowed) } else { self.expected };
        if law.text {
            mbarrier::count_range::check(count)?;
            // The expected count decreases first.
            if drop {
                mbarrier::drop_to_zero::check(expected, law.readings)?;
            }
            mbarrier::over_arrival::check(self, count)?;
            broken = mbarrier::missing_wait::check(self, law.readings).err();
        }
        let before = self.with_tx(i64::from(self.tx).saturating_add(expect), law)?;
        let after = Self { pending: before.pending.wrapping_sub(narrowed), expected, ..before };
        let outcome = after.settled(broken);
        if law.text {
            mbarrier::no_complete::check(no_complete, outcome.completes)?;
        }
        Ok(outcome)
    }

    /// The object with a new tx-count.
    fn with_tx(self, tx: i64, law: Law) -> Result<Self, RuleId> {
        if law.text {
            mbarrier::tx_range::check(tx)?;
        }
        Ok(Self { tx: narrow(tx), ..self })
    }

    /// Completes the phase if the pending count and the tx-count are zero; the next phase begins in the same step.
    #[must_use]
    pub(crate) fn settled(self, broken: Option<RuleId>) -> Outcome {
        if self.pending != 0 || self.tx != 0 {
            return Outcome { next: self, completes: false, broken };
        }
        let phase = self.phase.wrapping_add(1);
        let next = Self { phase, pending: self.expected, observed: false, ..self };
        Outcome { next, completes: true, broken }
    }

    /// Whether a wait on a parity returns: the current phase has the other parity.
    #[must_use]
    pub const fn passes_parity(self, parity: bool) -> bool {
        (self.phase & 1 != 0) != parity
    }

    /// Whether a wait on the phase of a token returns.
    #[must_use]
    pub const fn passes_token(self, phase: u32, law: Law) -> bool {
        if law.text { self.phase > phase } else { self.passes_parity(phase & 1 != 0) }
    }

    /// The object after a wait has observed the previous phase.
    #[must_use]
    pub const fn observe(self) -> Self {
        Self { observed: true, ..self }
    }
}

/// The outcome of a modification that completes no phase.
pub(crate) const fn kept(next: Mbarrier) -> Outcome {
    Outcome { next, completes: false, broken: None }
}

/// A count truncated as on hardware; the checks of the specification precede this.
fn narrow(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(if count < 0 { i32::MIN } else { i32::MAX })
}

#[cfg(test)]
mod tests;
