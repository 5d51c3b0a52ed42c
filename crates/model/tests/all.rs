//! Every integration test of this crate in one binary: it is linked once. A file in this folder is a module here.

mod support;

mod exploration_agrees_with_definitions;
mod races_agree_with_definitions;
