//! AMDGPU assembly as LLVM prints it: whole files of `llc`, `clang`, `hipcc` and Triton.

mod decode;
mod facts;
mod lower;
mod operand;
pub(crate) mod packet;
mod table;
mod text;
mod unit;

use tidegate_kernel::ir::Module;
use tidegate_lang::diagnostic::Diagnostic;

/// Reads a file.
///
/// # Errors
///
/// The first thing that keeps the file from being judged.
pub(crate) fn read(text: &str) -> Result<Module, Diagnostic> {
    let plain = text::without_comments(text);
    lower::lower(&unit::read(&plain)?)
}

#[cfg(test)]
mod tests;
