//! Rules `amd.object.*`.

pub mod scope;
pub mod unsupported;
