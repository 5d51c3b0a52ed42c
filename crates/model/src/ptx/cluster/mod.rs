//! Rules on the cluster barrier.

pub mod arrive_once;
pub mod exited_cta;
