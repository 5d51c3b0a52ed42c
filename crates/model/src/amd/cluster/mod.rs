//! Rules `amd.cluster.*`.

pub mod one_arrival;
