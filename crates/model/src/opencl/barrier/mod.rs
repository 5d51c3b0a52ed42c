//! Rules on every barrier.

pub mod all_encounter;
pub mod uniform_arguments;
