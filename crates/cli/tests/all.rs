//! Every integration test of this crate in one binary: it is linked once. A file in this folder is a module here.

mod common;
mod llvm;

mod assembler;
mod command_line;
mod conformance;
mod golden;
mod graphs;
mod observations;
mod report_schema;
