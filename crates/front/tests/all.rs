//! The integration tests of this crate, in one binary to link once. Each file in this folder is a module here.

mod classes;
mod diagnostics;
mod sent;
