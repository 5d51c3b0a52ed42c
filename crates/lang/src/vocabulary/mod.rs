//! The vocabularies: one module each, with a table of its instructions.
//!
//! A row says how an instruction is spelled, what its operands are and what it does. Parsing, name resolution and
//! evaluation are driven by the row; nothing outside this module knows an instruction by name.

pub(crate) mod amdgpu;
pub(crate) mod effect;
pub(crate) mod foreign;
pub(crate) mod llvm;
pub(crate) mod numbers;
pub(crate) mod nvidia;
pub(crate) mod opencl;
pub(crate) mod ptx;
pub(crate) mod sass;
pub(crate) mod tlx;
pub(crate) mod words;

pub(crate) use effect::{Argument, Condition, Effect};
use tidegate_model::operation::Form;

/// Which language an instruction belongs to.
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

/// What stands at one place among the operands.
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
    /// An expression that must be a number.
    Number,
    /// `expected=` and a number; may be absent.
    Expected,
    /// Nothing is written; the operation reads `m0`.
    ImplicitM0,
    /// `m0` itself.
    M0,
    /// A register of which nothing is known, or a number.
    Compared,
    /// A register that takes a result which nothing here reads.
    Register,
    /// A label of this body.
    Label,
    /// `vmcnt(0) lgkmcnt(0)` and the like, or a number.
    Counters,
    /// What follows `fence`.
    Fence,
    /// `NAME` or `NAME[A..B]`: bytes of a declared memory.
    Bytes,
    /// `DST[A..B] <- SRC[A..B]`.
    Copy,
    /// `(DST[A..B], SRC[A..B])`.
    Copies,
    /// How many marks may be left: a number of 16 bits.
    Marks,
    /// An expression of any kind.
    Any,
    /// A coordinate of a tile, which may have no value.
    Coordinate,
    /// Nothing, or empty parentheses.
    Nothing,
    /// `sc0 sc1` or `scope:SCOPE_SE`, or nothing: how far a cache instruction reaches.
    Policy,
}

/// One instruction of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// As it is spelled.
    pub(crate) name: &'static str,
    /// Its operands, in order.
    pub(crate) operands: &'static [Place],
    /// What it does.
    pub(crate) effect: Effect,
    /// How the operation that it makes is marked.
    pub(crate) form: Form,
}

/// The row of that name among the vocabularies whose instructions begin with their name.
pub(crate) fn find(name: &str) -> Option<(Vocabulary, &'static Row)> {
    let among = |rows: &'static [Row]| rows.iter().find(|row| row.name == name);
    among(words::ROWS)
        .map(|row| (Vocabulary::Words, row))
        .or_else(|| among(words::MEMORY).map(|row| (Vocabulary::Memory, row)))
        .or_else(|| among(amdgpu::ROWS).map(|row| (Vocabulary::Amdgpu, row)))
}

/// The vocabulary that an instruction belongs to by its shape, where it is recognised but not judged yet.
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

/// Whether an instruction with this head, followed by this token, is written as another language writes it.
pub(crate) fn is_foreign(head: &str, next: &str) -> bool {
    not_yet(head).is_some() || opencl::recognises(head, next)
}

/// Every name that an instruction can begin with, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let rows = words::ROWS.iter().chain(words::MEMORY).chain(amdgpu::ROWS).chain(opencl::CALLS);
    rows.map(|row| row.name)
}
