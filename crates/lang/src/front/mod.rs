//! Front ends: code that compilers print, into the kernel IR.
//!
//! To add a language: add it to [`Language`] with what its files begin or contain, and the function that reads one to
//! [`reader`].

pub(crate) mod amdgpu;
mod arguments;
mod cpp;
pub(crate) mod kernel;
mod llvm;
mod ptx;
mod sass;

use crate::compiled::language::Language;
use crate::diagnostic::Diagnostic;
use tidegate_kernel::ir::Module;

/// Reads a text: the first thing that keeps it from being judged is an error.
type Reader = fn(&str) -> Result<Module, Diagnostic>;

const fn reader(language: Language) -> Reader {
    match language {
        Language::Amdgpu => amdgpu::read,
        Language::Llvm | Language::Cpp | Language::Opencl => llvm::read,
        Language::Ptx => ptx::read,
        Language::Sass => sass::read,
    }
}
