//! A PTX module as it is written, with names of registers and labels resolved.

use alloc::vec::Vec;
use tidegate_kernel::ir::Space;
use tidegate_lang::diagnostic::Span;

/// Index of a register in [`Function::registers`].
pub(super) type Register = u32;
/// Index of a label in [`Function::labels`].
pub(super) type Label = u32;

/// A module.
#[derive(Debug, Default)]
pub(super) struct Module<'t> {
    /// `.target`, with its place.
    pub(super) target: Option<(&'t str, Span)>,
    /// Variables of the module.
    pub(super) variables: Vec<Variable<'t>>,
    /// Kernels and functions; prototypes have no body.
    pub(super) functions: Vec<Function<'t>>,
}

/// A variable in memory, or a parameter.
#[derive(Clone, Debug)]
pub(super) struct Variable<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    /// Its address space; parameters have none.
    pub(super) space: Option<Space>,
    /// Its size in bytes; 0 for `[]`.
    pub(super) bytes: u64,
    /// The size of its elements in bytes, if it is an array.
    pub(super) element: Option<u64>,
    /// Whether it is declared elsewhere.
    pub(super) external: bool,
    /// For a parameter that is a pointer, the address space that it points to.
    pub(super) points: Option<Space>,
    /// Its bytes, if it has an initialiser of numbers.
    pub(super) content: Vec<u8>,
}

/// A kernel or a function.
#[derive(Debug, Default)]
pub(super) struct Function<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    /// Whether the host launches it.
    pub(super) entry: bool,
    pub(super) results: Vec<Variable<'t>>,
    pub(super) parameters: Vec<Variable<'t>>,
    /// `.reqntid`
    pub(super) threads: Option<[u32; 3]>,
    /// `.maxntid`
    pub(super) most: Option<[u32; 3]>,
    /// `.reqnctapercluster`
    pub(super) cluster: Option<[u32; 3]>,
    /// The width of each register, in bits.
    pub(super) registers: Vec<u8>,
    /// Variables of the body, including parameters of calls.
    pub(super) locals: Vec<Variable<'t>>,
    /// For each label, the index of the line after it.
    pub(super) labels: Vec<u32>,
    /// The body; a prototype has none.
    pub(super) body: Option<Vec<Line<'t>>>,
    /// `.branchtargets`, by name.
    pub(super) tables: Vec<(&'t str, Vec<Label>)>,
    /// Where the body ends.
    pub(super) end: Span,
}

/// An instruction.
#[derive(Debug)]
pub(super) struct Line<'t> {
    pub(super) span: Span,
    /// Its predicate, and the value that it must have.
    pub(super) predicate: Option<(Register, bool)>,
    /// Its name with modifiers.
    pub(super) head: &'t str,
    pub(super) operands: Vec<Operand<'t>>,
}

/// A name that is not a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol<'t> {
    /// A variable of the body, by its index in [`Function::locals`].
    Local(u32),
    /// A parameter, or a name of the module.
    Outer(&'t str),
}

/// Where an address starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base<'t> {
    Register(Register),
    /// A variable or parameter.
    Name(Symbol<'t>),
    /// The offset is the address.
    Absolute,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand<'t> {
    Register(Register),
    /// `!%p1`
    Not(Register),
    /// `%r1|%p1`
    Pair(Option<Register>, Option<Register>),
    Number(i64),
    /// A special register, `%tid.x`.
    Special(&'t str),
    /// The address of a variable plus an offset, or the name of a function or table.
    Name(Symbol<'t>, i64),
    Label(Label),
    /// `[%rd1+8, {%r1, %r2}]`
    Address(Base<'t>, i64, Vec<Self>),
    /// `{%r1, %r2}`
    Vector(Vec<Self>),
    /// `(param0, param1)`
    List(Vec<Self>),
    /// `_`
    Sink,
}
