//! The rows of a ledger.

use alloc::string::String;
use alloc::vec::Vec;

/// An agent in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LedgerAgent {
    /// Its name.
    pub agent: String,
    /// Number of such operations in its body, with loops unrolled.
    pub written: u32,
    /// Number of performed operations.
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
    /// The current phase of an mbarrier object or an OpenCL barrier, from 0.
    pub phase: Option<u32>,
    /// Expected arrivals of a phase; threads for a CTA barrier, live agents for a cluster barrier and for
    /// `bar.warp.sync` (0 until an agent waits), work-items for OpenCL barriers, sub-groups for a named one.
    pub expected: i64,
    /// Missing arrivals.
    pub pending: i64,
    /// Bytes expected and not completed.
    pub bytes: i64,
    /// Arriving agents.
    pub arrives: Vec<LedgerAgent>,
    /// Waiting agents.
    pub waits: Vec<LedgerAgent>,
    /// Why agents are blocked there.
    pub missing: Option<String>,
}
