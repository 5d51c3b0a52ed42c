//! Front ends: from code that people and compilers write to programs.
//!
//! [`read`] chooses the front end by the language of the code. The front end reads the text into the kernel IR, and the launch
//! decides which program the chosen kernel performs.
//!
//! To add a language: add it to [`Language`] with what its files begin or contain, and the function that reads one to
//! `front_end`.
#![no_std]

extern crate alloc;

mod alike;
mod amdgpu;
mod arguments;
mod classes;
mod cpp;
mod kernel;
mod llvm;
mod ptx;
#[cfg(feature = "python")]
mod python;
mod sass;

pub use cpp::{HEADERS, before};
pub use kernel::{read, written_name};
use tidegate_kernel::ir::Module;
use tidegate_lang::compiled::{Code, Language};
use tidegate_lang::diagnostic::Diagnostic;
#[cfg(not(feature = "python"))]
use tidegate_lang::diagnostic::Span;

/// Why a kernel in Python is not read here.
#[cfg(not(feature = "python"))]
const ELSEWHERE: &str =
    "only the command line reads Triton kernels in Python: `tidegate check FILE`";

/// Reads a text: the first thing that keeps it from being judged is an error.
type FrontEnd = fn(&Code) -> Result<Module, Diagnostic>;

const fn front_end(language: Language) -> FrontEnd {
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

/// Parses a text with these front ends.
#[cfg(test)]
fn parse(text: &str) -> tidegate_lang::scenario::Scenario {
    tidegate_lang::parse_with(text, &tidegate_lang::launching::Launching::default(), read)
}
