//! The scenario language: text to scenario and diagnostics, and back to text.
//!
//! Parsing never fails as a whole. This crate knows nothing about verdicts, search, input or output.
#![no_std]

extern crate alloc;

pub mod assembly;
pub mod assist;
pub mod diagnostic;
mod evaluate;
mod expression;
mod format;
mod highlight;
pub mod inline;
mod lexer;
mod lower;
pub mod outline;
mod parse;
pub mod scenario;
pub mod smaller;
mod suggest;
mod tree;
mod vocabulary;

pub use vocabulary::sass::{InDocument, Twin, twins};

pub use format::format;
pub use highlight::{TokenKind, tokens};

use alloc::vec::Vec;
use diagnostic::Diagnostic;
use scenario::{Compiled, Scenario};

/// Reads a text. Never fails: what is wrong with it stands in the scenario's diagnostics in order of
/// the text, at most 100 of them.
#[must_use]
pub fn parse(text: &str) -> Scenario {
    let mut scenario = parse::read(text);
    lower::lower(&mut scenario, text);
    scenario.diagnostics.sort_by_key(|found| found.span.start);
    scenario
}

/// Makes a scenario into a program.
///
/// # Errors
///
/// The errors of parsing; what the scenario uses and this version does not judge yet (`not-yet`); and what only shows
/// when the bodies are evaluated: overflow, division by zero, operands of the wrong kind, loops that perform nothing,
/// and the bounds on size.
pub fn compile(scenario: &Scenario) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(scenario, PLAIN)
}

/// Most work-items of a launch of OpenCL of which every work-group is compiled; of larger launches some stand for others.
const PLAIN: u32 = 256;

/// The same where every work-group is compiled of launches of up to so many work-items.
///
/// # Errors
///
/// Those of [`compile`].
pub fn compile_with(scenario: &Scenario, plain: u32) -> Result<Compiled, Vec<Diagnostic>> {
    evaluate::compile(scenario, false, plain)
}

/// The same, where a sub-group of OpenCL is one agent as a wave or warp is: an operation of it needs all its work-items
/// at one place.
///
/// # Errors
///
/// Those of [`compile`].
pub fn compile_sub_groups(scenario: &Scenario) -> Result<Compiled, Vec<Diagnostic>> {
    evaluate::compile(scenario, true, u32::MAX)
}
