//! CUDA C++ and HIP: a subset of C++, compiled to LLVM IR without optimisation.
//!
//! The LLVM IR is equivalent to that of clang for the same text, as far as synchronisation is concerned. The front end of LLVM
//! IR reads it. Each of its lines has a position in the text. Variables whose address is not taken are registers that are
//! written several times, which that front end accepts.

mod assembly;
mod atomics;
mod builtin;
mod call;
mod code;
mod convert;
mod declare;
mod expression;
mod function;
mod kit;
mod lambda;
mod lanes;
mod launch;
mod lexer;
mod mathematics;
mod number;
mod opencl;
mod operators;
mod preprocess;
mod primary;
mod shape;
mod specialisation;
mod statement;
mod structure;
mod symbol;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod top;
mod types;
mod unit;
mod variable;
mod vectors;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
pub use kit::{HEADERS, before};
pub(crate) use launch::HostLaunch;
use lexer::{At, Token};
use tidegate_lang::compiled::debug::DebugLines;
use tidegate_lang::diagnostic::{Diagnostic, Span, Suggestion};
use tidegate_lang::launching::Header;
use tidegate_model::target::{Family, TargetId};

/// A problem that prevents compilation.
#[derive(Clone, Debug)]
struct Problem {
    at: At,
    length: u32,
    message: String,
    advise: Option<Advice>,
}

/// What the user can do about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advice {
    /// Clang may compile the text.
    Clang,
    /// The text of a header is missing.
    Header,
    /// Two definitions have the same name.
    Name,
}

/// Nearly every function returns this type. The problem is in a box to keep it small.
type Parsed<T> = Result<T, Box<Problem>>;

/// A source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Cuda,
    Hip,
    /// OpenCL C. The code is for AMDGPU, whose numbers of address spaces are those of this compiler.
    Opencl,
}

impl Problem {
    fn at(token: &Token, message: impl Into<String>) -> Box<Self> {
        let length = token.text.chars().count() as u32;
        Box::new(Self { at: token.at, length, message: message.into(), advise: None })
    }
}

/// LLVM IR, and the position in the text of each of its lines.
#[derive(Debug)]
pub(crate) struct Written {
    /// The sizes and constant arguments that the host gives each kernel.
    pub(crate) launches: Vec<HostLaunch>,
    pub(crate) code: String,
    pub(crate) lines: DebugLines,
}

/// Words that occur only in HIP.
const OF_HIP: [&str; 7] =
    ["hip/hip_", "__builtin_amdgcn_", "__hip_", "amdgpu_", "hipLaunch", "__amdgpu_", "hipMalloc"];

/// Compiles a text.
///
/// # Errors
///
/// The first thing that keeps it from being compiled.
pub(crate) fn compile(
    text: &str,
    target: Option<TargetId>,
    headers: &[Header],
) -> Result<Written, Diagnostic> {
    let (dialect, processor) = compiler_for(text, target);
    top::compile(text, headers, dialect, processor).map_err(|problem| diagnostic(text, &problem))
}

/// The launches in a text that another compiler compiles; empty if the text cannot be read.
pub(crate) fn launches(
    text: &str,
    target: Option<TargetId>,
    headers: &[Header],
) -> Vec<HostLaunch> {
    let (dialect, processor) = compiler_for(text, target);
    top::launches(text, headers, dialect, processor).unwrap_or_default()
}

/// The language of a text for a target, and the processor.
fn compiler_for(text: &str, target: Option<TargetId>) -> (Dialect, &'static str) {
    let named = target.map(TargetId::get);
    let amdgpu = match named.map(|target| target.family) {
        Some(Family::Amdgpu { .. }) => true,
        Some(Family::Nvidia) => false,
        _ => OF_HIP.iter().any(|word| text.contains(word)),
    };
    let own = named
        .map(|target| target.name)
        .filter(|name| name.starts_with("gfx") && amdgpu || name.starts_with("sm_") && !amdgpu);
    let processor = own.unwrap_or(if amdgpu { "gfx1250" } else { "sm_90" });
    (if amdgpu { Dialect::Hip } else { Dialect::Cuda }, processor)
}

/// Compiles OpenCL C; its library functions stay calls.
///
/// # Errors
///
/// The first thing that keeps it from being compiled.
pub(crate) fn compile_opencl(text: &str, headers: &[Header]) -> Result<Written, Diagnostic> {
    let read = top::compile(text, headers, Dialect::Opencl, "gfx1250");
    read.map_err(|problem| diagnostic(text, &problem))
}

fn diagnostic(text: &str, problem: &Problem) -> Diagnostic {
    let At { line, column, .. } = problem.at;
    let before = line.saturating_sub(1) as usize;
    let begin: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let rest = text.get(begin..).unwrap_or("");
    let letters = column.saturating_sub(1) as usize;
    let inside = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
    let span = Span { start: (begin + inside) as u32, length: problem.length, line, column };
    let suggestion = problem.advise.map(|advice| Suggestion {
        message: match advice {
            Advice::Clang => {
                "check this file with the command line and clang, which reads all of C++"
            }
            Advice::Header => "replace the `#include` line with the text of the header",
            Advice::Name => "rename one of the two: namespaces do not keep names apart here",
        }
        .into(),
        replacement: None,
    });
    Diagnostic { suggestion, ..Diagnostic::error("cuda", span, problem.message.clone()) }
}
