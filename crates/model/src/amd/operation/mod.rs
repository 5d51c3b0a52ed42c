//! Rules `amd.operation.*`.

pub mod privileged;
pub mod unsupported;
