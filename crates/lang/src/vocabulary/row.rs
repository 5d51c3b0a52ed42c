//! A row of a table of instructions.

use super::effect::Effect;
use tidegate_model::operation::Form;

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
#[derive(Clone, Copy, Debug)]
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
