//! Rules on asynchronous copies.

pub mod outstanding_at_exit;
pub mod size;
