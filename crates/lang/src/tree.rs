//! The syntax tree, with unresolved names.

use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::{Row, Vocabulary, ptx};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Counter, Fence, Space};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// Flat code.
pub(crate) type Code = Vec<(Atom, Span)>;

/// A name and its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Statements between braces, and the position of the closing brace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    pub(crate) close: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) span: Span,
    pub(crate) kind: StatementKind,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Let(Name, Expression),
    /// A C variable with a value; a copy if the value is a named barrier.
    Copy(Name, Expression),
    /// Variables whose values are unknown after the statement.
    Forget(Vec<Name>),
    /// A C variable of that type, possibly with a value; an array is one unit of data.
    Variable(Name, Option<Value>),
    /// A C expression, evaluated for its effect.
    Value(Value),
    /// `if` in C.
    Either(Value, Block, Option<Block>),
    /// `for`, `while` and `do … while` in C.
    Rounds(Rounds),
    /// `return` with a value in C.
    Give(Value),
    /// Statements that replace one statement of a pasted text, possibly none.
    Several(Vec<Statement>),
    /// A C variable declared without a value.
    Declare(Name),
    /// An assignment; for `+=` and similar, the value includes the operator.
    Assign(Name, Expression),
    If(Expression, Block, Option<Block>),
    For(Name, Expression, Expression, Block),
    Repeat(Expression, Block),
    While(Expression, Block),
    /// `for (…; …; …)`
    Count(Count),
    /// `switch`
    Switch(Switch),
    /// `do { } while (…)`
    DoWhile(Block, Expression),
    Loop(Block),
    Break,
    Continue,
    Choose(Vec<Block>),
    Exit,
    /// Leaves the function, possibly with an unused value; outside a function, the agent ends.
    Return(Option<Expression>),
    Label(Name),
    /// `goto` in C.
    Goto(Name),
    Call(Name, Vec<Expression>),
    Instruction(Instruction),
    /// A named barrier of OpenCL.
    Construct(Construct),
    /// A violation of the restrictions on the named barrier type.
    Restricted(Vec<(Restriction, Span)>),
    /// An instruction that is recognised but not supported yet, and the name that it declares, if any.
    NotYet(Vocabulary, Option<Name>),
}

/// A C loop: its initialisation, its condition (endless if absent), and the statement after each iteration.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) first: Vec<Statement>,
    pub(crate) condition: Option<Expression>,
    pub(crate) next: Vec<(Name, Expression)>,
    pub(crate) body: Block,
}

/// A C loop whose expressions can have effects.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    pub(crate) first: Vec<Statement>,
    pub(crate) condition: Option<Value>,
    pub(crate) next: Option<Value>,
    pub(crate) body: Block,
    /// Whether the condition is tested after the body.
    pub(crate) tests_last: bool,
}

/// A C expression, which can read and write memory and variables.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ValueKind {
    /// Code that only computes: numbers, variables, operators in any order.
    Plain(Code),
    /// Data computed from these, with a notation.
    Data(String, Vec<Value>),
    Element(Box<Element>),
    /// `*POINTER`
    At(Box<Value>),
    /// `&PLACE`
    Address(Box<Value>),
    /// Components of a vector, by name.
    Part(Box<Value>, String),
    /// A member of a structure in memory, with its indices.
    Member(Box<Value>, Box<Member>, Vec<Value>),
    Convert(Type, Box<Value>),
    /// An address, and the type that it points to.
    Cast(Pointee, Box<Value>),
    Unary(Unary, Box<Value>),
    Binary(Binary, Box<[Value; 2]>),
    /// `&&`, or else `||`.
    Lazy(bool, Box<[Value; 2]>),
    Choice(Box<[Value; 3]>),
    Comma(Box<[Value; 2]>),
    Assign(Option<Binary>, Box<[Value; 2]>),
    /// `++` and `--`, and whether the value is the old one.
    Step(Binary, bool, Box<Value>),
    Call(Name, Vec<Value>),
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its first byte in the structure.
    pub(crate) offset: u32,
    /// Bytes of an element, and of a component if it is a vector.
    pub(crate) bytes: u32,
    pub(crate) scalar: u32,
    pub(crate) of: Type,
    /// Number of elements in each dimension.
    pub(crate) sizes: Vec<u32>,
    /// The structure that it is.
    pub(crate) structure: Option<StructId>,
}

/// An element of an array, or a subarray if indices are missing.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: Name,
    pub(crate) array: Array,
    pub(crate) indices: Vec<Value>,
}

impl Element {
    /// Whether it names the whole array.
    pub(crate) fn is_whole(&self) -> bool {
        self.indices.len() < self.array.sizes.len()
    }

    /// Whether it names a pointer.
    pub(crate) fn is_pointer(&self) -> bool {
        self.indices.is_empty() && !self.array.private && matches!(self.array.sizes[..], [None])
    }
}

/// An array of a kernel, a variable in local memory, or a pointer to elements.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    /// `None` for a pointer, which is a variable.
    pub(crate) space: Option<Space>,
    /// Bytes of an element, and of a component if it is a vector.
    pub(crate) element: u32,
    pub(crate) scalar: u32,
    pub(crate) of: Type,
    /// Number of elements in each dimension; `None` if the host determines it.
    pub(crate) sizes: Vec<Option<Expression>>,
    /// Whether it is never written, so that it does not matter which element is read.
    pub(crate) constant: bool,
    /// Whether it is private memory of a work-item.
    pub(crate) private: bool,
    /// Whether its elements are pointers, to elements of this many bytes.
    pub(crate) of_pointers: bool,
    /// The structure that each element is.
    pub(crate) structure: Option<StructId>,
    pub(crate) span: Span,
}

impl Array {
    /// The type that a pointer to an element points to.
    pub(crate) fn pointee(&self) -> Pointee {
        (self.element, self.scalar, self.of)
    }
}

/// The bytes of the pointed-to element, the bytes of one component, and its type.
pub(crate) type Pointee = (u32, u32, Type);

/// An integer vector, or a private array of integers or integer vectors.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The type of a component.
    pub(crate) of: Type,
    /// Number of components of an element.
    pub(crate) width: u32,
    /// Number of elements in each dimension; empty for a vector.
    pub(crate) sizes: Vec<Option<Expression>>,
}

/// A `switch`: the statement at which each case begins; `None` is `default`.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Value,
    pub(crate) cases: Vec<(Option<Expression>, usize)>,
    pub(crate) body: Block,
}

/// An instruction of a table.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) row: &'static Row,
    pub(crate) head: Span,
    pub(crate) operands: Vec<Operand>,
    /// The variable that receives the outcome.
    pub(crate) result: Option<Name>,
    /// Whether the statement declares that variable (`let`).
    pub(crate) declares: bool,
    /// The statement as written, with white space folded.
    pub(crate) text: String,
    /// For NVIDIA, its row and the flags of its modifiers.
    pub(crate) nvidia: Option<(&'static ptx::Instruction, Flags)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Expression),
    /// A coordinate of the tile in the memory before it.
    Coordinate(Expression),
    /// The register m0.
    M0(Span),
    Label(Name),
    /// Bytes of a declared memory: all of them, or from the first expression up to the second.
    Bytes(Name, Option<(Expression, Expression)>),
    /// One stage of a declared memory.
    Stage(Name, Expression),
    /// A counter and the largest value at which a wait for it returns.
    Counter(Counter, Expression),
    /// The operands of a fence.
    Fence(Fence),
}

/// A violation of the restrictions on OpenCL's named barrier type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restriction {
    /// An address space other than local memory.
    Storage,
    Pointer,
    Array,
    /// A member of a class or union.
    Member,
    /// A variable at program scope.
    Program,
    /// The return type of a function.
    Return,
    /// A kernel argument, which the host passes.
    Argument,
    /// A missing count.
    Default,
    Assigned,
    Address,
    /// A copy of a named barrier in a variable outside local memory.
    Copied,
    /// A parameter passed by value.
    Passed,
    /// A named barrier constructed in a function.
    Function,
}

/// The declaration of a named barrier of OpenCL.
#[derive(Clone, Debug)]
pub(crate) struct Construct {
    pub(crate) name: Name,
    /// The count, or the named barrier that this one refers to.
    pub(crate) count: Option<Expression>,
    /// Whether it is a reference.
    pub(crate) by_reference: bool,
    pub(crate) faults: Vec<(Restriction, Span)>,
    /// The statement as written, with white space folded.
    pub(crate) text: String,
}

/// The content of a declaration.
#[derive(Clone, Debug)]
pub(crate) enum DeclarationKind {
    /// A plain barrier object, or this many of them.
    Barrier(Option<Expression>),
    /// A named barrier object by ID, or this many of them with consecutive IDs.
    Named(Option<Expression>, Expression),
    /// `mbarrier`, with its number of elements.
    Mbarrier(Option<Expression>),
    /// `lds`, `global` and `image`: the address space, whether it is an image, and the size in bytes.
    Memory(Space, bool, Expression),
    /// `const`.
    Constant(Expression),
    /// `tlx.alloc_barriers`: their number and their arrival count.
    Allocated(Expression, Option<Expression>),
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) kind: DeclarationKind,
}

/// A literal number or range of a launch or of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// First and last.
    Range(i64, i64),
}

/// A block and the agents that it names; `kernel` names all.
#[derive(Clone, Debug)]
pub(crate) struct AgentBlock {
    pub(crate) span: Span,
    pub(crate) workgroups: Selection,
    pub(crate) waves: Selection,
    pub(crate) lanes: Selection,
    /// The kernel's arguments.
    pub(crate) arguments: Vec<Argument>,
    /// Whether it has the C syntax.
    pub(crate) of_c: bool,
    /// Whether it is a kernel that every thread performs.
    pub(crate) per_thread: bool,
    pub(crate) body: Block,
}

impl AgentBlock {
    /// A kernel without arguments: the body of every agent, performed by every thread.
    pub(crate) fn of_all(span: Span, body: Block) -> Self {
        let (workgroups, waves, lanes) = (Selection::All, Selection::All, Selection::All);
        let (arguments, of_c, per_thread) = (Vec::new(), false, true);
        Self { span, workgroups, waves, lanes, arguments, of_c, per_thread, body }
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Name,
    /// The smallest and largest value of its type, for an integer.
    pub(crate) range: Option<(i64, i64)>,
    /// The value that the caller passes.
    pub(crate) value: Option<i64>,
    /// Whether it is a named barrier of OpenCL, which is not allowed.
    pub(crate) barrier: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    /// The type of its result, if given.
    pub(crate) result: Option<Type>,
    pub(crate) parameters: Vec<Name>,
    /// By parameter, whether it is written to be a named barrier of OpenCL.
    pub(crate) barriers: Vec<bool>,
    pub(crate) body: Block,
}

/// The launch as written: clusters, workgroups, waves, lanes, each with its position.
pub(crate) type LaunchKeys = [Option<(i64, Span)>; 4];

/// The assumed parts of a launch that the text does not give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assumed {
    /// The numbers of work-groups in each dimension.
    pub(crate) groups: [i64; 3],
    /// Whether the numbers of work-groups are assumed; otherwise the launch gives them.
    pub(crate) several: bool,
    /// The sizes of a work-group.
    pub(crate) sizes: [i64; 3],
    /// Whether the sizes are assumed; otherwise the kernel requires them.
    pub(crate) size: bool,
    /// Number of dimensions, from 1 to 3.
    pub(crate) dimensions: usize,
}

/// A whole text without its headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) launch: LaunchKeys,
    pub(crate) launch_span: Span,
    /// Workgroups of a cluster.
    pub(crate) cluster: Option<(i64, Span)>,
    pub(crate) declarations: Vec<Declaration>,
    /// For memories declared with stages, the bytes of one stage.
    pub(crate) stages: OrderedMap<String, Expression>,
    /// For tensors with a box and buffers with a shape, the elements by dimension, then the bytes of one element.
    pub(crate) boxes: OrderedMap<String, Vec<Expression>>,
    /// Constants with a single number, for the launch and the indices of agents.
    pub(crate) counts: OrderedMap<String, i64>,
    pub(crate) functions: Vec<Function>,
    pub(crate) agents: Vec<AgentBlock>,
    /// Number of work-items that a kernel requires in a work-group, and the position of the requirement.
    pub(crate) required: Option<(i64, Span)>,
    /// The launch of a kernel in C, as far as it is assumed.
    pub(crate) assumed: Option<Assumed>,
    /// Functions that are declared.
    pub(crate) prototypes: OrderedSet<String>,
    /// Variables in constant memory whose contents the text gives.
    pub(crate) given: OrderedSet<String>,
    /// Accessed arrays of kernels; a declaration with the same name takes precedence.
    pub(crate) implicit: Vec<Declaration>,
    /// Functions that only compute data.
    pub(crate) computes: OrderedSet<String>,
    /// For each declared name, by its position, its C type.
    pub(crate) types: OrderedMap<u32, Type>,
    /// For each declared integer vector or private array, by the position of its name, its shape.
    pub(crate) shapes: OrderedMap<u32, Shape>,
    /// Whether something depends on a dimension of the launch after the first, or on the contents of memory.
    pub(crate) more_dimensions: bool,
    /// Violations of the restrictions on named barriers outside bodies.
    pub(crate) restrictions: Vec<(Restriction, Span)>,
    /// Named barriers that are variables at program scope.
    pub(crate) program_scope: Vec<Name>,
}

/// The index of a structure.
pub(crate) type StructId = u16;

/// A structure: its members with their offsets, and its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    pub(crate) members: Vec<(String, Member)>,
    pub(crate) bytes: u32,
    pub(crate) align: u32,
    pub(crate) is_union: bool,
}

impl Structure {
    /// Adds a member with this alignment.
    pub(crate) fn add(&mut self, name: String, member: Member, align: u32) {
        let align = align.max(1);
        let first = if self.is_union { 0 } else { self.bytes.next_multiple_of(align) };
        let all = member.sizes.iter().fold(member.bytes, |all, size| all.saturating_mul(*size));
        self.bytes = self.bytes.max(first.saturating_add(all));
        self.align = self.align.max(align);
        self.members.push((name, Member { offset: first, ..member }));
    }
}
