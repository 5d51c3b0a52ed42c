//! One measured fact.

use crate::operation::{Intrinsic, Mnemonic};
use crate::target::TargetId;
use crate::target_set::expand;

/// The input of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// An instruction, to the assembler.
    Machine(Mnemonic),
    /// An intrinsic, to the compiler.
    Intrinsic(Intrinsic),
    /// An operation for which the tables give no code.
    NoCode,
}

/// The behaviour of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It accepts the input.
    Taken,
    /// It reports that the target has no such instruction.
    Rejected,
    /// The compiler crashes.
    Crashes,
    /// The compiler does not know the intrinsic and calls an external function of that name without a diagnostic.
    ExternalCall,
}

/// One measured fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The input.
    pub what: What,
    /// The probe as written.
    pub probe: &'static str,
    /// Sets of targets that accept it, separated by spaces.
    pub takes: &'static str,
    /// The outcome on every other processor.
    pub otherwise: Outcome,
}

impl Fact {
    /// The outcome on a target.
    #[must_use]
    pub fn on(&self, target: TargetId) -> Outcome {
        if has(self.takes, target) { Outcome::Taken } else { self.otherwise }
    }
}

/// Whether one of the sets contains the target.
#[must_use]
pub fn has(sets: &str, target: TargetId) -> bool {
    sets.split_ascii_whitespace().any(|set| expand(set).is_some_and(|ids| ids.contains(&target)))
}
