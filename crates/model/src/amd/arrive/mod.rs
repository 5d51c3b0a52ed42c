//! Rules `amd.arrive.*`.

pub mod expected;
