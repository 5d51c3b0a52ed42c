//! Flat code: the form of bodies and functions that is evaluated.

use super::term::Term;
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::types::Type;
use crate::expression::{Expression, Value};
use crate::source::Source;
use crate::vocabulary::nvidia::{Flags, Kind};
use crate::vocabulary::{Effect, Place, Row, ptx};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Buffer, BufferId, Counter, Fence};
use tidegate_model::operation::{Object, Operation};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::Launch;
use tidegate_model::ptx::tile::Tile;

/// Index of a step.
pub(crate) type Pc = u32;

/// A set of the state of a unit: its variables by slot, m0, and the scalar condition code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held([u64; 16]);

/// Largest number of conditions around an access that are distinguished; those further inside are merged.
pub(crate) const MOST_GUARDS: usize = 4;

/// Largest number of slots of a unit.
pub(crate) const MOST_SLOTS: u16 = 1022;
/// The bit of m0.
pub(crate) const M0: u16 = 1022;
/// The bit of the scalar condition code.
pub(crate) const SCC: u16 = 1023;

impl Held {
    pub(crate) fn insert(&mut self, bit: u16) {
        self.0[usize::from(bit / 64) & 15] |= 1 << (bit % 64);
    }

    pub(crate) fn remove(&mut self, bit: u16) {
        self.0[usize::from(bit / 64) & 15] &= !(1 << (bit % 64));
    }

    pub(crate) fn contains(self, bit: u16) -> bool {
        self.0[usize::from(bit / 64) & 15] >> (bit % 64) & 1 == 1
    }

    pub(crate) fn union(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine |= other);
    }
}

/// An operand of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Place, Expression),
    M0(Span),
    Bytes(Bytes),
    Counter(Counter, Expression),
    Fence(Fence),
}

/// Bytes of a declared memory.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) buffer: BufferId,
    /// The register that holds the memory and offset from which the range counts.
    pub(crate) base: Option<Expression>,
    /// The size of the memory.
    pub(crate) size: u32,
    /// From the first expression up to the second; the whole memory if absent.
    pub(crate) range: Option<(Expression, Expression)>,
    pub(crate) span: Span,
}

/// The destination of the outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Nowhere,
    Slot(u16),
    Scc,
    /// An NVIDIA token.
    Token(u16),
    /// An NVIDIA number that only an execution knows.
    Count(u16),
}

/// The variables that count the iterations of the loops around a position, outermost first: since the last barrier of
/// the work-group, and since the last of the sub-group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rounds {
    pub(crate) group: Vec<u16>,
    pub(crate) sub_group: Vec<u16>,
}

/// A variable that is nonzero if data decide; the variable of the condition, and whether it must hold.
pub(crate) type Guard = (u16, Option<(u16, bool)>);

/// An operation with unevaluated operands.
#[derive(Clone, Debug)]
pub(crate) struct Operate {
    pub(crate) row: &'static Row,
    pub(crate) operands: Vec<Operand>,
    pub(crate) outcome: Outcome,
    /// For NVIDIA, its row and the flags of its modifiers.
    pub(crate) nvidia: Option<(&'static ptx::Instruction, Flags)>,
    /// Whether an access of OpenCL is atomic.
    pub(crate) atomic: bool,
    /// Number of mbarrier objects of a CTA.
    pub(crate) declared: u16,
    /// For OpenCL, the iteration counters of the loops around it.
    pub(crate) rounds: Rounds,
    /// Variables of the conditions around it. If one is nonzero, data decide whether the operation happens. Each with
    /// the variable of the condition itself, and whether it must hold.
    pub(crate) guards: Vec<Guard>,
    /// Whether its address may depend on data.
    pub(crate) somewhere: bool,
    /// Index among the sources: the first of one source for each combination of the data decisions.
    pub(crate) source: u32,
}

impl Operate {
    /// An operation that no data decide, and whose result nothing uses.
    pub(crate) fn new(
        row: &'static Row,
        operands: Vec<Operand>,
        declared: u16,
        source: u32,
    ) -> Self {
        Self {
            row,
            operands,
            outcome: Outcome::Nowhere,
            nvidia: None,
            atomic: false,
            declared,
            rounds: Rounds::default(),
            guards: Vec::new(),
            somewhere: false,
            source,
        }
    }
}

/// One of several consecutive variables, selected by an index at evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Among {
    pub(crate) first: u16,
    pub(crate) count: u16,
    /// The variable that holds the index.
    pub(crate) index: u16,
    /// The variable that the value is copied to or from.
    pub(crate) other: u16,
    pub(crate) writes: bool,
    pub(crate) span: Span,
}

/// An access through a pointer. Accesses to private variables are performed here. For memories that the pointer may
/// point to, the next operation accesses one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Through {
    /// The variables that hold the pointer and the offset in bytes.
    pub(crate) pointer: u16,
    pub(crate) offset: u16,
    /// The first of three variables: the number of targets already accessed (zero if there is only one), the address of
    /// the current target, and the start of the access in its range (data if it may be anywhere).
    pub(crate) turn: u16,
    /// The variable that is written, or that receives the value read.
    pub(crate) value: u16,
    pub(crate) writes: bool,
    pub(crate) bytes: u32,
    /// The position after the last target.
    pub(crate) end: Pc,
    pub(crate) span: Span,
}

/// A private variable or array of a work-item that a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Private {
    pub(crate) first: u16,
    /// Number of its variables, and the bytes of each; none if it is one unit of data.
    pub(crate) count: u16,
    pub(crate) bytes: u32,
}

/// The number of the first pseudo-memory that represents a private variable.
pub(crate) const PRIVATE: BufferId = 0xff00;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Set(u16, Expression),
    /// Makes the variable unknown data.
    Forget(u16),
    /// Something that may write and is not modelled: no finding is certain.
    Unmodelled(Rc<Diagnostic>),
    /// Assigns the variable a term computed from data.
    Compute(u16, Rc<Term>),
    /// Sets the first variable to whether the second holds data.
    IsData(u16, u16),
    /// Copies the second variable to the first, even if it has no value.
    Move(u16, u16),
    /// Assigns the variable its own value or that of the last one, depending on the second.
    Join(u16, u16, u16),
    /// Reads or writes one of several variables.
    Among(Among),
    /// Assigns the variable the address of a private one, by index.
    Address(u16, u16),
    Through(Through),
    /// Sets the result of the function.
    Give(Expression),
    /// Assigns the variable the result of the called function.
    Take(u16),
    SetM0(Expression),
    /// Sets the scalar condition code.
    SetScc(bool),
    /// Jumps if the expression is zero; if it is data, both answers are tried.
    Unless(Expression, Pc),
    /// Jumps; with the position of the loop or branch.
    Jump(Pc, Span),
    /// Jumps if the scalar condition code has this value.
    JumpScc(bool, Pc, Span),
    /// Continues at any of these; with an index among the sources.
    Choose(Vec<Pc>, u32),
    /// Calls a unit.
    Call(u32, Vec<Expression>, Span),
    /// After a call: the iterations in which it was made.
    Keep(Rounds),
    Return,
    End,
    /// The end at a position of its own; index among the sources.
    Leave(u32),
    Operate(Operate),
    /// An operation without operands to evaluate, and its source.
    Fixed(Operation, u32),
}

/// The properties of the agent that a unit, or the units that it calls, observe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looks(pub(crate) u8);

impl Looks {
    pub(crate) const WAVE: u8 = 1;
    pub(crate) const WORKGROUP: u8 = 2;
    pub(crate) const LANE: u8 = 4;
    pub(crate) const CHOOSE: u8 = 8;

    pub(crate) const fn at(self, what: u8) -> bool {
        self.0 & what != 0
    }
}

/// A body of agents, or a function.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) entry: Pc,
    pub(crate) looks: Looks,
    /// Index of the source of its end.
    pub(crate) end: u32,
    /// Whether it accesses no memory and uses no barrier.
    pub(crate) computes: bool,
    /// The names of a function's parameters.
    pub(crate) parameters: Vec<String>,
    /// The kernel arguments without a value: the slot, and the number among those of the text.
    pub(crate) arguments: Vec<(u16, u16)>,
}

/// A kernel argument without a value, which the host passes.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The smallest and largest value of its type.
    pub(crate) range: (i64, i64),
}

/// A scenario ready for evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The text, then words that macros make.
    pub(crate) text: Rc<str>,
    /// Where those words come from.
    pub(crate) places: crate::scratch::Places,
    pub(crate) steps: Vec<Step>,
    /// For each step, the state that is read from there on.
    pub(crate) live: Vec<Held>,
    pub(crate) units: Vec<Unit>,
    pub(crate) sources: Vec<Source>,
    /// Recognised but unsupported instructions.
    pub(crate) pending: Vec<Diagnostic>,
    pub(crate) launch: Option<Launch>,
    /// The position of the launch.
    pub(crate) launch_span: Span,
    /// For each lane of each wave of each workgroup, its unit if a block names it.
    pub(crate) lanes: Vec<Option<u32>>,
    pub(crate) plain_names: Vec<String>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) buffer_names: Vec<String>,
    /// For tensors with a box and buffers with a shape, the box and its bytes.
    pub(crate) boxes: OrderedMap<BufferId, (Tile, u32)>,
    pub(crate) named_names: Vec<(i64, String)>,
    /// For each mbarrier object, its count if it is initialised at launch.
    pub(crate) mbarriers: Vec<Option<i64>>,
    pub(crate) mbarrier_names: Vec<String>,
    /// Whether a kernel is written per thread.
    pub(crate) per_thread: bool,
    /// Whether some instruction is NVIDIA's.
    pub(crate) nvidia: bool,
    /// Whether some operation is OpenCL's.
    pub(crate) opencl: bool,
    /// Whether a kernel has the form of OpenCL C.
    pub(crate) of_c: bool,
    /// Whether its barriers wait only for work-items that have not ended, as in CUDA and HIP.
    pub(crate) leaves: bool,
    /// Variables that pointers may point to.
    pub(crate) privates: Vec<Private>,
    /// Names of the OpenCL named barriers.
    pub(crate) barrier_names: Vec<String>,
    /// Kernel arguments.
    pub(crate) arguments: Vec<Argument>,
    /// Whether something depends on a dimension of the launch after the first, or on the contents of memory.
    pub(crate) more_dimensions: bool,
    /// The assumed parts of the launch.
    pub(crate) assumed: crate::source::Assumed,
    /// Violations of the restrictions on OpenCL's named barrier type.
    pub(crate) restricted: Vec<crate::source::Restricted>,
}

impl Code {
    /// Moves the positions that are shown into the text as written.
    pub(crate) fn place(&mut self, places: crate::scratch::Places) {
        let sources = self.sources.iter_mut().map(|source| &mut source.span);
        let arguments = self.arguments.iter_mut().map(|argument| &mut argument.span);
        let restricted = self.restricted.iter_mut().map(|found| &mut found.span);
        for span in sources.chain(arguments).chain(restricted) {
            *span = places.written(*span);
        }
        places.place(&mut self.pending);
        self.places = places;
    }

    /// The text at a position.
    pub(crate) fn source_text(&self, span: Span) -> String {
        String::from(crate::lexer::slice(&self.text, span))
    }

    /// Whether some step initialises or invalidates an mbarrier object.
    pub(crate) fn initialises(&self) -> bool {
        self.steps.iter().any(|step| {
            let Step::Operate(operate) = step else { return false };
            matches!(operate.row.effect, Effect::Nvidia(Kind::Init | Kind::InitWord | Kind::Inval))
        })
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    Value(Value),
    /// A constant, with its type.
    Number(i64, Type),
    /// An array of barrier objects: the first, and their number.
    Array(Object, u32),
    Slot(u16),
    Builtin(crate::expression::Builtin),
    Memory(BufferId),
}

/// The objects that every scenario has.
pub(crate) const PREDECLARED: [(&str, Object); 3] =
    [("wg", Object::Workgroup), ("cluster", Object::Cluster), ("null", Object::Null)];
