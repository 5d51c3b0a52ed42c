//! Rules `amd.drop.*`.

pub mod non_negative;
pub mod race;
