//! The integration tests of this crate, in one binary to link once. Each file in this folder is a module here.

mod support;

mod exploration_agrees_with_definitions;
mod races_agree_with_definitions;
