//! Front ends: code that compilers print, into the kernel IR.
//!
//! To add a language: add it to [`Language`] with what its files begin or contain, and the function that reads one to
//! [`reader`].

pub(crate) mod amdgpu;
mod arguments;
mod classes;
mod cpp;
pub(crate) mod kernel;
mod llvm;
mod ptx;
#[cfg(feature = "python")]
mod python;
mod sass;

use crate::compiled::Code;
use crate::compiled::language::Language;
use crate::diagnostic::Diagnostic;
#[cfg(not(feature = "python"))]
use crate::diagnostic::Span;
use tidegate_kernel::ir::Module;

/// Why a kernel in Python is not read here.
#[cfg(not(feature = "python"))]
const ELSEWHERE: &str =
    "only the command line reads Triton kernels in Python: `tidegate check FILE`";

/// Reads a text: the first thing that keeps it from being judged is an error.
type Reader = fn(&Code) -> Result<Module, Diagnostic>;

const fn reader(language: Language) -> Reader {
    match language {
        Language::Amdgpu => |code| amdgpu::read(&code.text),
        Language::Llvm | Language::Cpp | Language::Opencl => |code| llvm::read(&code.text),
        Language::Ptx => |code| ptx::read(&code.text),
        Language::Sass => |code| sass::read(&code.text),
        #[cfg(feature = "python")]
        Language::Python => python::read,
        #[cfg(not(feature = "python"))]
        Language::Python => |_| Err(Diagnostic::error("python", Span::default(), ELSEWHERE)),
    }
}
