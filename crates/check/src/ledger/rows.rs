//! The rows of a ledger.

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
    /// `mbarrier`, `bar`, `cluster` or `warp` (`bar.warp.sync`); of OpenCL `workgroup`, `subgroup`, `named` or `split`.
    pub kind: String,
    /// The running phase of an mbarrier object or of a barrier of OpenCL, from 0.
    pub phase: Option<u32>,
    /// Arrivals that a phase waits for; threads at a barrier of a CTA, agents that have not ended at one of a cluster and at
    /// `bar.warp.sync` (where it is 0 until one of them waits), work-items at one of OpenCL, sub-groups at a named
    /// one.
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
