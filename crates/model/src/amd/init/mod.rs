//! Rules `amd.init.*`.

pub mod first;
pub mod positive;
