//! Rules on what targets have.

pub mod unsupported;
