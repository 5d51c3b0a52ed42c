//! Asynchronous operations and their marks.
//!
//! `amdgpu-async-operations`. Each function body has its own sequence of marks. A mark covers every operation initiated before
//! it in program order, in whichever function; a wait removes marks from the front of the sequence of its own body, and what
//! they cover is completed.

pub mod callee_unspecified;
pub mod race;
pub mod redundant_mark;
pub mod redundant_wait;
pub mod sequence;
pub mod unmarked;
pub mod unsupported;
