//! Edits of a text, in its language.

pub(crate) mod fix;
pub(crate) mod written;
