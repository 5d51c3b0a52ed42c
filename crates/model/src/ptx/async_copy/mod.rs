//! Rules on asynchronous copies.

pub mod access;
pub mod size;
