//! Places, identifiers and operands.

use super::compute::Special;

/// Bytes of the text: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

/// Index of a register in `Function::widths`.
pub type Reg = u32;
/// Index of a block in `Function::blocks`.
pub type BlockId = u32;
/// Index of a function in `Module::functions`.
pub type FunctionId = u32;
/// Index of an object in `Module::objects`.
pub type ObjectId = u32;
/// Index of an argument in `Module::arguments`.
pub type ArgumentId = u32;

/// An input of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value of a register.
    Register(Reg),
    /// A constant, truncated to the width that the instruction needs.
    Int(u64),
    /// The address of an object in its own address space, plus an offset in bytes.
    Object(ObjectId, i64),
    /// A value that the launch gives.
    Special(Special),
    /// The value of an argument.
    Argument(ArgumentId),
    /// Data: an unknown value, which may differ at each use.
    Data,
}
