//! The counts of a barrier object, and the effect of each modification on them, as total pure functions.
//!
//! `amdgpu-execution-synchronization`, "Barrier Objects" and "Barrier Operations". `tests/snapshots` prints every state
//! under every operation.

use crate::amd::{arrive, drop, init};
use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

/// The counts of one barrier object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Barrier {
    /// Whether an *init* has happened.
    pub initialised: bool,
    /// *Expected count*: arrivals that complete a phase.
    pub expected: i32,
    /// *Arrive count*: arrivals in the current phase.
    pub arrived: i32,
}

/// The effect of a modification besides the change of the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It belongs to the current phase, or begins one.
    Joins,
    /// It belongs to the current phase and completes it.
    Completes,
    /// It belongs to no phase.
    Outside,
    /// It belongs to no phase, and ends the current one without completing it.
    Abandons,
}

/// The result of a modification: the new counts with the effect, or the rule that it breaks. Counts after a broken rule
/// are undefined.
pub type Outcome = Result<(Barrier, Effect), RuleId>;

/// A modification of one barrier object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modification {
    /// *init* with an expected count.
    Init(i64),
    /// *arrive*, with an optional new expected count.
    Arrive(Option<i64>),
    /// *drop*.
    Drop,
}

impl Barrier {
    /// An object after an *init*.
    #[must_use]
    pub const fn launched(expected: i32) -> Self {
        Self { initialised: true, expected, arrived: 0 }
    }

    /// Whether an arrive now would be the first of its phase.
    #[must_use]
    pub const fn is_first(self) -> bool {
        self.arrived == 0
    }

    /// Applies a modification.
    ///
    /// # Errors
    /// The rule that the modification breaks.
    pub fn apply(self, modification: Modification, readings: Readings) -> Outcome {
        match modification {
            Modification::Init(expected) => self.init(expected),
            Modification::Arrive(expected) => self.arrive(expected, readings),
            Modification::Drop => self.drop(readings),
        }
    }

    /// *init*: sets the expected count and abandons the current phase.
    fn init(self, expected: i64) -> Outcome {
        let expected = init::positive::check(expected)?;
        Ok((Self::launched(expected), Effect::Abandons))
    }

    /// *arrive*: sets the new expected count if there is one, then increments the arrive count.
    fn arrive(self, expected: Option<i64>, readings: Readings) -> Outcome {
        init::first::check(self.initialised)?;
        let counts = arrive::expected::Counts { expected: self.expected, arrived: self.arrived };
        let expected = arrive::expected::check(counts, expected, readings)?;
        let next = Self { expected, arrived: self.arrived + 1, ..self };
        Ok(next.complete_if(next.arrived == next.expected))
    }

    /// *drop*: decrements the expected count, which may complete the current phase. If it leaves both counts zero and completes
    /// nothing, neither it nor earlier drops can belong to a phase that continues. The counts of the operations that
    /// participate in a wait are equal only after the last of them.
    fn drop(self, readings: Readings) -> Outcome {
        init::first::check(self.initialised)?;
        let expected = drop::non_negative::check(self.expected)?;
        let next = Self { expected, ..self };
        if next.arrived == 0 && !drops_into_empty_phase(next, readings) {
            return Ok((next, Effect::Outside));
        }
        let equal = next.arrived == next.expected;
        if equal && !completes_empty(next, readings) {
            return Ok((next, Effect::Abandons));
        }
        Ok(next.complete_if(equal))
    }

    fn complete_if(self, complete: bool) -> (Self, Effect) {
        if complete {
            (Self { arrived: 0, ..self }, Effect::Completes)
        } else {
            (self, Effect::Joins)
        }
    }
}

/// Reading `amd.A10`: whether a drop before the first arrive of a phase belongs to that phase. A drop that completes a
/// phase by itself (reading `amd.A2`) always does.
fn drops_into_empty_phase(after: Barrier, readings: Readings) -> bool {
    readings.is_default(ReadingId::AmdA10)
        || (after.expected == 0 && completes_empty(after, readings))
}

/// Reading `amd.A2`: whether equal counts complete a phase without an arrive.
fn completes_empty(after: Barrier, readings: Readings) -> bool {
    after.arrived > 0 || !readings.is_default(ReadingId::AmdA2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use core::fmt::Write;

    const OPERATIONS: [Modification; 8] = [
        Modification::Init(0),
        Modification::Init(2),
        Modification::Arrive(None),
        Modification::Arrive(Some(0)),
        Modification::Arrive(Some(1)),
        Modification::Arrive(Some(2)),
        Modification::Arrive(Some(3)),
        Modification::Drop,
    ];

    fn states() -> impl Iterator<Item = Barrier> {
        let started = (0..=3).flat_map(|expected| {
            (0..=expected).map(move |arrived| Barrier { initialised: true, expected, arrived })
        });
        core::iter::once(Barrier::default())
            .chain(started.filter(|b| b.arrived < b.expected || b.expected == 0))
    }

    fn row(state: Barrier, operation: Modification, readings: Readings) -> String {
        let from = if state.initialised {
            format!("{}/{}", state.arrived, state.expected)
        } else {
            String::from("none")
        };
        match state.apply(operation, readings) {
            Ok((next, effect)) => {
                format!("{from:5} {operation:18?} {}/{} {effect:?}", next.arrived, next.expected)
            }
            Err(rule) => format!("{from:5} {operation:18?} breaks {}", rule.get().id),
        }
    }

    #[test]
    fn every_state_under_every_operation() {
        let mut table = String::new();
        for state in states() {
            for operation in OPERATIONS {
                writeln!(table, "{}", row(state, operation, Readings::default())).unwrap();
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn every_state_under_every_operation_under_the_other_readings() {
        let mut table = String::new();
        for id in [ReadingId::AmdA1, ReadingId::AmdA2, ReadingId::AmdA10] {
            let other = Readings::default().with(id, 1);
            for (state, operation) in states().flat_map(|s| OPERATIONS.map(|o| (s, o))) {
                let (usual, read) =
                    (row(state, operation, Readings::default()), row(state, operation, other));
                if usual != read {
                    writeln!(table, "{}: {read}", id.get().name).unwrap();
                }
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_completed_phase_leaves_no_arrivals() {
        for (state, operation) in states().flat_map(|s| OPERATIONS.map(|o| (s, o))) {
            if let Ok((next, Effect::Completes)) = state.apply(operation, Readings::default()) {
                assert_eq!(next.arrived, 0, "{state:?} {operation:?}");
            }
        }
    }
}
