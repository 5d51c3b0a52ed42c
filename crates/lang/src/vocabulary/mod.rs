//! The vocabularies: one module each, with a table of its instructions.
//!
//! A row gives the spelling, the operands and the effect of an instruction. Parsing, name resolution and evaluation are
//! driven by the row. Outside this module, only the readers of special syntax know an instruction by name: `parse/ptx.rs`
//! and the front ends of compiled code.

pub(crate) mod amdgpu;
pub(crate) mod atomics;
pub(crate) mod effect;
pub(crate) mod foreign;
pub(crate) mod llvm;
pub mod numbers;
pub mod nvidia;
pub mod opencl;
pub mod ptx;
mod row;
pub mod sass;
pub mod tlx;
pub(crate) mod words;

pub(crate) use effect::{Argument, Condition, Effect};
pub(crate) use row::{Place, Row};

/// The language of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Vocabulary {
    Words,
    Memory,
    Amdgpu,
    Ptx,
    Sass,
    Tlx,
}

impl Vocabulary {
    /// Its name in messages.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Words => "model words",
            Self::Memory => "memory accesses",
            Self::Amdgpu => "AMDGPU machine code",
            Self::Ptx => "PTX instructions",
            Self::Sass => "SASS instructions",
            Self::Tlx => "TLX operations",
        }
    }
}

/// Finds the row of a name in the vocabularies whose instructions start with their name.
pub(crate) fn find(name: &str) -> Option<(Vocabulary, &'static Row)> {
    let among = |rows: &'static [Row]| rows.iter().find(|row| row.name == name);
    among(words::ROWS)
        .map(|row| (Vocabulary::Words, row))
        .or_else(|| among(words::MEMORY).map(|row| (Vocabulary::Memory, row)))
        .or_else(|| among(amdgpu::ROWS).map(|row| (Vocabulary::Amdgpu, row)))
}

/// The vocabulary of an instruction by its form, if it is recognised but not supported.
pub(crate) fn not_yet(head: &str) -> Option<Vocabulary> {
    if ptx::recognises(head) {
        Some(Vocabulary::Ptx)
    } else if sass::recognises(head) {
        Some(Vocabulary::Sass)
    } else if tlx::recognises(head) {
        Some(Vocabulary::Tlx)
    } else {
        None
    }
}

/// Whether an instruction with this head, followed by this token, has the form of another language.
pub(crate) fn is_foreign(head: &str, next: &str) -> bool {
    not_yet(head).is_some() || opencl::recognises(head, next)
}

/// The first words of all instructions, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let rows = words::ROWS.iter().chain(words::MEMORY).chain(amdgpu::ROWS).chain(opencl::CALLS);
    rows.map(|row| row.name)
}
