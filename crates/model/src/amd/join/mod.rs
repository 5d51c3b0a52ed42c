//! Rules `amd.join.*`.

pub mod before_drop;
pub mod before_wait;
pub mod named_only;
