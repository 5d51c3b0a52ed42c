//! Rules `amd.phase.*`.

pub mod separation;
