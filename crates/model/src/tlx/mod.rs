//! Limits and lints of TLX itself; the rules of `ptx` cover its operations.

pub mod arrive_count;
pub mod single_arrive;
