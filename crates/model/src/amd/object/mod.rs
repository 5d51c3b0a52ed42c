//! Rules `amd.object.*`.

pub mod scope;
