//! The integration tests of this crate, in one binary to link once. Each file in this folder is a module here.

mod diagnostics;
mod formatting;
mod programs;
mod properties;
mod sass;
mod sass_sums;
