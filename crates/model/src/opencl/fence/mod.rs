//! Rules on flags and scopes.

pub mod image_alone;
pub mod image_scope;
pub mod local_scope_ignored;
