//! Memory: what is accessed, and what orders two accesses.
//!
//! Barriers order execution only. Nothing in here changes a barrier object, and no barrier looks at memory.

pub mod counters;
pub mod map;
pub mod operation;
pub mod order;
pub mod outstanding;
