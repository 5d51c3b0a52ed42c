//! Help: imperative sentences that say how to fix a finding.

pub(crate) mod amd;
pub(crate) mod edit;
pub(crate) mod memory;
pub(crate) mod opencl;
pub(crate) mod ptx;
pub(crate) mod skipped;
