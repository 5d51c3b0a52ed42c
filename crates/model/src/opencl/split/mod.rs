//! Rules on split work-group barriers.

pub mod arrive_twice;
pub mod flags_differ;
pub mod image_scope;
pub mod wait_first;
