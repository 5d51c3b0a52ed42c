//! Rules `amd.barrier.*`.

pub mod outstanding_memory;
pub mod wave_uniform;
