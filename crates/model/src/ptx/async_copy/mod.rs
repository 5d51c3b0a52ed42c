//! Rules on asynchronous copies.

pub mod access;
