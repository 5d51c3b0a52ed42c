//! The integration tests of this crate, in one binary to link once. Each file in this folder is a module here.

mod common;
mod llvm;

mod assembler;
mod certificate;
mod command_line;
mod conformance;
mod golden;
mod graphs;
mod observations;
mod report_schema;
