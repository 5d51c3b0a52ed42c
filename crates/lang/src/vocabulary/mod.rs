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
pub(crate) mod numbers;
pub mod nvidia;
pub(crate) mod opencl;
pub mod ptx;
pub mod sass;
pub mod tlx;
pub(crate) mod words;

pub(crate) use effect::{Argument, Condition, Effect};
use tidegate_model::operation::Form;

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

/// The kind of operand at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An expression that must be a barrier object.
    Object,
    /// An expression that is a barrier object or its ID.
    Id,
    /// The same, or the register `m0`.
    IdOrM0,
    /// The same, as an immediate of 16 bits.
    Id16,
    /// An integer expression.
    Number,
    /// `expected=` and a number; optional.
    Expected,
    /// No written operand; the operation reads `m0`.
    ImplicitM0,
    /// `m0` itself.
    M0,
    /// An unknown register, or a number.
    Compared,
    /// A register for a result that is not tracked.
    Register,
    /// A label of this body.
    Label,
    /// `vmcnt(0) lgkmcnt(0)` and similar, or a number.
    Counters,
    /// The text after `fence`.
    Fence,
    /// `NAME` or `NAME[A..B]`: bytes of a declared memory.
    Bytes,
    /// `DST[A..B] <- SRC[A..B]`.
    Copy,
    /// `(DST[A..B], SRC[A..B])`.
    Copies,
    /// Number of marks that may remain: 16 bits.
    Marks,
    /// An expression of any kind.
    Any,
    /// A coordinate of a tile, which may be unknown.
    Coordinate,
    /// Nothing, or empty parentheses.
    Nothing,
    /// `sc0 sc1` or `scope:SCOPE_SE`, or nothing: the scope of a cache instruction.
    Policy,
}

/// One instruction of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// Its spelling.
    pub(crate) name: &'static str,
    /// Its operands, in order.
    pub(crate) operands: &'static [Place],
    /// Its effect.
    pub(crate) effect: Effect,
    /// The form of its operation.
    pub(crate) form: Form,
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
