//! Limits and lints of TLX itself; what its operations do is told by the rules of `ptx`.

pub mod arrive_count;
pub mod single_arrive;
