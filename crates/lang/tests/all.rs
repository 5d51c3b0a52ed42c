//! Every integration test of this crate in one binary: it is linked once. A file in this folder is a module here.

mod diagnostics;
mod formatting;
mod programs;
mod properties;
mod sass;
mod sass_sums;
