//! Ledgers: per barrier who arrives, how many are expected, which phase runs, who waits, and what is missing.

use crate::judge::KeepGoing;
use crate::nvidia;
use crate::scene::{Options, Scene};
use alloc::string::String;
use alloc::vec::Vec;

/// An agent in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LedgerAgent {
    /// Its name.
    pub agent: String,
    /// How many such operations its body has, loops unrolled.
    pub written: u32,
    /// How many of them it performed.
    pub performed: u32,
    /// Whether it is blocked there.
    pub blocked: bool,
}

/// One barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LedgerRow {
    /// Its name.
    pub object: String,
    /// `mbarrier` or `bar`.
    pub kind: String,
    /// The running phase of a mbarrier object, from 0.
    pub phase: Option<u32>,
    /// Arrivals that a phase waits for; threads at a barrier of a CTA.
    pub expected: i64,
    /// Those that are still missing.
    pub pending: i64,
    /// Bytes expected and not completed.
    pub bytes: i64,
    /// Who arrives.
    pub arrives: Vec<LedgerAgent>,
    /// Who waits.
    pub waits: Vec<LedgerAgent>,
    /// What is missing for whoever is blocked there, in a sentence.
    pub missing: Option<String>,
}

/// The ledger of a scenario, at the end of one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// The file, as the caller named it.
    pub file: String,
    /// The target.
    pub target: String,
    /// The verdict.
    pub verdict: String,
    /// Steps of the execution that it is about.
    pub steps: u64,
    /// One row a barrier.
    pub rows: Vec<LedgerRow>,
}

/// The ledger of a scenario of NVIDIA; `None` for any other, or one that cannot be judged. It is about the execution on
/// which the first deadlock was found, or else about one execution to its end.
pub fn ledger(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Option<Ledger> {
    nvidia::ledger::of(scene, options, keep_going)
}
