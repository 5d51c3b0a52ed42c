//! The scenario language: text to scenario and diagnostics, and back to text.
//!
//! Parsing never fails as a whole. This crate knows nothing about verdicts, search, input or output.
#![no_std]

extern crate alloc;

pub mod diagnostic;
pub mod scenario;
