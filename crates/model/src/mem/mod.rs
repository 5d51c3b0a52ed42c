//! Memory: accesses, and the order between two accesses.
//!
//! Barriers order execution only. Nothing here changes a barrier object, and no barrier depends on memory.

pub mod counters;
pub mod map;
pub mod operation;
pub mod order;
pub mod outstanding;
