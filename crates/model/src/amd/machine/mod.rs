//! Rules `amd.machine.*`.

pub mod count_width;
pub mod lost_completion;
pub mod never_completes;
