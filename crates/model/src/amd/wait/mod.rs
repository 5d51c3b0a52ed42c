//! Rules `amd.wait.*`.

pub mod never_completes;
