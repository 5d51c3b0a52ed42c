//! Front ends: code that compilers print, into the kernel IR.
//!
//! To add a language: add a row to [`LANGUAGES`] with what its files begin or contain, and the function that reads one.

pub(crate) mod amdgpu;
pub(crate) mod cpp;
pub(crate) mod debug;
pub(crate) mod kernel;
mod llvm;
mod ptx;
mod sass;
mod written;

use crate::diagnostic::Diagnostic;
use tidegate_kernel::ir::Module;

/// A language of compiled code.
struct Language {
    /// Whether a line without the blanks around it shows that a text is in this language.
    shows: fn(&str) -> bool,
    /// Reads a text: the first thing that keeps it from being judged is an error.
    read: fn(&str) -> Result<Module, Diagnostic>,
}

/// The languages; the first one that a line shows counts.
const LANGUAGES: [Language; 4] = [
    Language {
        shows: |line| line.starts_with(".amdgcn_target") || line.starts_with(".amdhsa_kernel"),
        read: amdgpu::read,
    },
    Language { shows: llvm::shows, read: llvm::read },
    Language { shows: ptx::shows, read: ptx::read },
    Language { shows: sass::shows, read: sass::read },
];

/// Whether a text is one of CUDA C++ or HIP: a line shows it before any line shows another language.
fn is_of_cpp(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let found =
        lines.find(|line| cpp::shows(line) || LANGUAGES.iter().any(|one| (one.shows)(line)));
    found.is_some_and(cpp::shows)
}

/// The language of a text, if it is a file of compiled code. Blocks of agents and expectations after the first line of code
/// are those of a scenario.
fn language(text: &str) -> Option<&'static Language> {
    static ALL: [Language; LANGUAGES.len()] = LANGUAGES;
    let mut lines = text.lines().map(str::trim);
    let found = lines.find_map(|line| ALL.iter().find(|language| (language.shows)(line)))?;
    let of_scenario = |line: &str| {
        let word = line.split(char::is_whitespace).next().unwrap_or("");
        crate::parse::AGENTS.contains(&word) && line.contains('{')
    };
    (!lines.any(of_scenario)).then_some(found)
}
