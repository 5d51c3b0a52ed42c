//! LLVM IR, as clang, Triton, rustc and Julia print it.
//!
//! Instructions that only compute data are skipped. Integers, addresses, memory accesses, synchronisation and control flow are lowered
//! to the kernel IR.

mod access;
mod amdgpu;
mod around;
mod assembly;
mod calls;
mod copy_sites;
mod cursor;
mod group_copies;
mod instruction;
mod integers;
mod launch;
mod lexer;
mod lower;
mod module;
mod nvidia;
mod opencl;
mod spelled;
#[cfg(test)]
mod tests;
mod types;
mod unit;
mod value;

pub(crate) use lower::prefixed;
pub(crate) use opencl::{READ_PIXEL, WRITE_PIXEL, collective};

use tidegate_kernel::ir;
use tidegate_lang::diagnostic::{Diagnostic, Span};

/// What the front end of C calls where two operands change and use one variable, and the language gives them no order.
pub(crate) const NO_ORDER: &str = "tidegate.no_order";

/// Reads a module.
///
/// # Errors
///
/// The first thing that is not LLVM IR.
pub(crate) fn read(text: &str) -> Result<ir::Module, Diagnostic> {
    lower::read(text).map_err(|problem| {
        let before = text.get(..problem.place.start as usize).unwrap_or(text);
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let span = Span {
            start: problem.place.start,
            length: problem.place.end.saturating_sub(problem.place.start),
            line: before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1,
            column: before[begin..].chars().count() as u32 + 1,
        };
        Diagnostic::error("llvm", span, problem.message)
    })
}
