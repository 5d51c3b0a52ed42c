//! Rules `amd.drop.*`.

pub mod non_negative;
