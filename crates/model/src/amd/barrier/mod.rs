//! Rules `amd.barrier.*`.

pub mod wave_uniform;
