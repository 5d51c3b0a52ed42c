//! The scenario language: text to scenario and diagnostics, and back to text.
//!
//! Parsing never fails as a whole. This crate knows nothing about verdicts, search, input or output.
#![no_std]

extern crate alloc;

pub mod assembly;
pub mod assist;
pub mod compiled;
pub mod diagnostic;
mod evaluate;
mod expression;
mod format;
mod highlight;
pub mod inline;
pub mod launching;
mod lexer;
mod limits;
mod lower;
mod opencl;
pub mod outline;
mod parse;
pub mod scenario;
mod scratch;
pub mod smaller;
pub mod source;
pub mod suggest;
mod tree;
pub mod vocabulary;

pub use vocabulary::sass::{InDocument, Twin, twins};

pub use compiled::classes::{LineClass, LineClasses};
pub use compiled::debug::{DebugLines, From as CompiledFrom};
pub use format::format;
pub use highlight::{TokenKind, tokens};
pub use lower::agents::{Words, agent_names};

use alloc::string::String;
use alloc::vec::Vec;
use compiled::Reader;
use diagnostic::Diagnostic;
use launching::Launching;
use limits::PLAIN;
use scenario::{Compiled, Scenario};

/// Parses a text in the language of scenarios. Never fails: the scenario has at most 100 diagnostics, in the order of the text.
/// Compiled code needs a front end: see [`parse_with`].
#[must_use]
pub fn parse(text: &str) -> Scenario {
    parse_with(text, &Launching::default(), compiled::without_front_end)
}

/// Parses a text whose kernel is launched as the caller chooses, and which `reader` reads if it is compiled code.
#[must_use]
pub fn parse_with(text: &str, launching: &Launching, reader: Reader) -> Scenario {
    let kernel = (text.len() <= parse::LONGEST_TEXT)
        .then(|| compiled::scenario(text, launching, reader, None));
    if let Some(mut scenario) = kernel.flatten() {
        scenario.diagnostics.sort_by_key(|found| found.span.start);
        return scenario;
    }
    opencl::best(text, launching, reader, statements(text, launching))
}

/// The scenario of a text in the language of scenarios, which contains a subset of OpenCL C.
fn statements(text: &str, launching: &Launching) -> Scenario {
    let (mut scenario, expanded) = parse::read(text, launching);
    lower::lower(&mut scenario, &expanded.text);
    expanded.places.place(&mut scenario.diagnostics);
    scenario.code.place(expanded.places);
    scenario.diagnostics.sort_by_key(|found| found.span.start);
    scenario
}

/// Parses an edited text as the scenario of the text before was: as compiled code if that one is.
#[must_use]
pub fn parse_like(
    scenario: &Scenario,
    text: &str,
    launching: &Launching,
    reader: Reader,
) -> Scenario {
    let code = scenario.opencl.then(|| opencl::code(text, launching, reader).0).flatten();
    code.unwrap_or_else(|| parse_with(text, launching, reader))
}

/// Parses code that a compiler made from `written`, with its debug information. The positions of the scenario are those of
/// `written`, which has the header lines. `None` if the code is in no known language.
#[must_use]
pub fn parse_compiled(
    code: &str,
    written: &str,
    launching: &Launching,
    reader: Reader,
) -> Option<Scenario> {
    if code.len() > parse::LONGEST_TEXT {
        return None;
    }
    let mut scenario = compiled::scenario(code, launching, reader, Some(written))?;
    scenario.diagnostics.sort_by_key(|found| found.span.start);
    Some(scenario)
}

/// A text with blanks instead of its header lines, for a compiler.
#[must_use]
pub fn without_headers(text: &str) -> String {
    compiled::without_headers(text)
}

/// Compiles a scenario to a program.
///
/// # Errors
///
/// The errors of parsing; uses of unsupported features (`not-yet`); and errors of evaluation: overflow, division by zero,
/// operands of the wrong kind, loops without operations, and size limits.
pub fn compile(scenario: &Scenario) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(scenario, PLAIN)
}

/// Compiles every work-group of launches of at most `plain` work-items.
///
/// # Errors
///
/// Those of [`compile`].
pub fn compile_with(scenario: &Scenario, plain: u32) -> Result<Compiled, Vec<Diagnostic>> {
    match &scenario.evaluated {
        Some(known) if plain == PLAIN => known.as_ref().clone(),
        _ => evaluate::compile(scenario, false, plain),
    }
}

/// Compiles with each OpenCL sub-group as one agent, like a wave or warp: an operation needs all its work-items at one
/// place. `text` and `launching` are those of the scenario.
///
/// # Errors
///
/// Those of [`compile`].
pub fn compile_sub_groups(
    scenario: &Scenario,
    text: &str,
    launching: &Launching,
) -> Result<Compiled, Vec<Diagnostic>> {
    if scenario.opencl {
        // A program of compiled code has one agent for each work-item.
        let whole = evaluate::compile(&statements(text, launching), true, u32::MAX)?;
        let left = whole.warnings.iter().filter(|found| found.code == "not-followed");
        let left: Vec<_> = left.cloned().collect();
        return if left.is_empty() { Ok(whole) } else { Err(left) };
    }
    evaluate::compile(scenario, true, u32::MAX)
}
