//! Flat code: what bodies and functions become before they are evaluated.

use super::term::Term;
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::{Expression, Value};
use crate::scenario::Source;
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

/// A set of what a unit can hold: its variables by slot, m0, and the scalar condition code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held([u64; 16]);

/// Most conditions around an access that are told apart; those further in are one.
pub(crate) const MOST_GUARDS: usize = 4;

/// Slots that a unit can have.
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
    /// The register that holds where in which memory the range begins to count.
    pub(crate) base: Option<Expression>,
    /// The size of the memory.
    pub(crate) size: u32,
    /// From the first expression up to the second; all of it where there are none.
    pub(crate) range: Option<(Expression, Expression)>,
    pub(crate) span: Span,
}

/// Where the outcome of an operation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Nowhere,
    Slot(u16),
    Scc,
    /// A token of NVIDIA.
    Token(u16),
    /// A number of NVIDIA that only an execution knows.
    Count(u16),
}

/// The variables that count the rounds of the loops around a place of a body, the outermost first: those since the last
/// barrier of the work-group, and those since the last of the sub-group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rounds {
    pub(crate) group: Vec<u16>,
    pub(crate) sub_group: Vec<u16>,
}

/// A variable that is not zero where data decide; that of the condition, and whether it must hold.
pub(crate) type Guard = (u16, Option<(u16, bool)>);

/// An operation whose operands are still to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Operate {
    pub(crate) row: &'static Row,
    pub(crate) operands: Vec<Operand>,
    pub(crate) outcome: Outcome,
    /// For one of NVIDIA its row and what its modifiers say.
    pub(crate) nvidia: Option<(&'static ptx::Instruction, Flags)>,
    /// How many mbarrier objects a CTA has.
    pub(crate) declared: u16,
    /// For one of OpenCL the loops around it.
    pub(crate) rounds: Rounds,
    /// Variables of conditions around it: where one is not zero, data decide whether it happens. With the variable of the
    /// condition itself, and whether it must hold.
    pub(crate) guards: Vec<Guard>,
    /// Whether data may decide where it is.
    pub(crate) somewhere: bool,
    /// Index among the sources: the first of one for each combination of what data decide.
    pub(crate) source: u32,
}

/// One of so many variables from the first on, as an index says that is known only when it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Among {
    pub(crate) first: u16,
    pub(crate) count: u16,
    /// The variable that holds the index.
    pub(crate) index: u16,
    /// The variable that takes the value, or that it is taken from.
    pub(crate) other: u16,
    pub(crate) writes: bool,
    pub(crate) span: Span,
}

/// An access through a pointer: to a variable of the work-item, which is done here, or to each memory that the pointer may
/// point to, one after the other, which the operation behind it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Through {
    /// The variables that hold the pointer and the bytes from there on.
    pub(crate) pointer: u16,
    pub(crate) offset: u16,
    /// The first of three variables: how many targets had their turn, zero where there is only one; the address of the target;
    /// and where in its range the access begins, data where that may be anywhere.
    pub(crate) turn: u16,
    /// The variable that is written, or that takes what is read.
    pub(crate) value: u16,
    pub(crate) writes: bool,
    pub(crate) bytes: u32,
    /// Where it goes on behind the last target.
    pub(crate) end: Pc,
    pub(crate) span: Span,
}

/// A variable of a work-item that a pointer may point to, or a private array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Private {
    pub(crate) first: u16,
    /// How many variables of so many bytes each it has; none where it is data as a whole.
    pub(crate) count: u16,
    pub(crate) bytes: u32,
}

/// The number of the first memory that is none but a private variable.
pub(crate) const PRIVATE: BufferId = 0xff00;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Set(u16, Expression),
    /// The variable holds data of which nothing is known from here on.
    Forget(u16),
    /// The variable holds what is computed from data.
    Compute(u16, Rc<Term>),
    /// The first variable says whether the second holds data.
    IsData(u16, u16),
    /// The first variable holds what the second does, be it nothing.
    Move(u16, u16),
    /// The variable holds what it did or what the last does, as the second says.
    Join(u16, u16, u16),
    /// A number of several variables is read or written.
    Among(Among),
    /// The variable holds the address of a private one, by index.
    Address(u16, u16),
    Through(Through),
    /// What the function yields.
    Give(Expression),
    /// The variable holds what the function yielded that was called.
    Take(u16),
    SetM0(Expression),
    /// Sets the scalar condition code.
    SetScc(bool),
    /// Goes on elsewhere if the expression is zero; of data it is asked.
    Unless(Expression, Pc),
    /// Goes on elsewhere; the place of the loop or branch.
    Jump(Pc, Span),
    /// Goes on elsewhere if the scalar condition code is this.
    JumpScc(bool, Pc, Span),
    /// Any of these; index among the sources.
    Choose(Vec<Pc>, u32),
    /// Calls a unit.
    Call(u32, Vec<Expression>, Span),
    /// Stands behind a call: the rounds in which it was made.
    Keep(Rounds),
    Return,
    End,
    /// The end at a place of its own; index among the sources.
    Leave(u32),
    Operate(Operate),
    /// An operation that is fixed already, and its source.
    Fixed(Operation, u32),
}

/// What a unit or the units that it calls look at.
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
    /// Whether it touches no memory and meets no barrier.
    pub(crate) computes: bool,
    /// The names of a function's parameters.
    pub(crate) parameters: Vec<String>,
    /// The arguments of a kernel that have no value: slot, and number among those of the text.
    pub(crate) arguments: Vec<(u16, u16)>,
}

/// An argument of a kernel that has no value: what the host passes is not known.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The least and the most that its type can hold.
    pub(crate) range: (i64, i64),
}

/// The most that is tried for an argument of 64 bits: sums and small multiples of it can be computed.
pub(crate) const MOST_TRIED: i64 = 1 << 60;
/// Most bytes of a memory of a work-group: more than any processor has for one.
pub(crate) const MOST_LOCAL: i64 = 1 << 20;

/// A scenario made ready to be evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The text that it was made from, where data may decide in it.
    pub(crate) text: Rc<str>,
    /// Whether it has a kernel of PTX, as a compiler prints it.
    pub(crate) of_ptx: bool,
    pub(crate) steps: Vec<Step>,
    /// For each step what is still read from there on.
    pub(crate) live: Vec<Held>,
    pub(crate) units: Vec<Unit>,
    pub(crate) sources: Vec<Source>,
    /// What is recognised and not judged yet.
    pub(crate) pending: Vec<Diagnostic>,
    pub(crate) launch: Option<Launch>,
    /// Where the launch is written.
    pub(crate) launch_span: Span,
    /// For each lane of each wave of each workgroup its unit, if a block names it.
    pub(crate) lanes: Vec<Option<u32>>,
    pub(crate) plain_names: Vec<String>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) buffer_names: Vec<String>,
    /// Of tensors with a box: that box, and its bytes.
    pub(crate) boxes: OrderedMap<BufferId, (Tile, u32)>,
    pub(crate) named_names: Vec<(i64, String)>,
    /// For each mbarrier object its count where it is initialised at launch.
    pub(crate) mbarriers: Vec<Option<i64>>,
    pub(crate) mbarrier_names: Vec<String>,
    /// Threads of a CTA, where a kernel is written per thread.
    pub(crate) threads: Option<u32>,
    /// Whether some instruction is one of NVIDIA.
    pub(crate) nvidia: bool,
    /// Whether some operation is one of OpenCL.
    pub(crate) opencl: bool,
    /// Variables that pointers may point to.
    pub(crate) privates: Vec<Private>,
    /// Names of the named barriers of OpenCL.
    pub(crate) barrier_names: Vec<String>,
    /// Arguments of kernels.
    pub(crate) arguments: Vec<Argument>,
    /// Whether something depends on a dimension of the launch but the first, or on what memory holds.
    pub(crate) more_dimensions: bool,
    /// What their type does not allow.
    pub(crate) restricted: Vec<crate::scenario::Restricted>,
}

impl Code {
    /// What a place of the text says.
    pub(crate) fn source_text(&self, span: Span) -> String {
        String::from(crate::lexer::slice(&self.text, span))
    }

    /// Whether some step initialises an mbarrier object or ends one.
    pub(crate) fn initialises(&self) -> bool {
        self.steps.iter().any(|step| {
            let Step::Operate(operate) = step else { return false };
            matches!(operate.row.effect, Effect::Nvidia(Kind::Init | Kind::InitWord | Kind::Inval))
        })
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    Value(Value),
    /// An array of so many barrier objects; the first of them.
    Array(Object, u32),
    Slot(u16),
    Builtin(crate::expression::Builtin),
    Memory(BufferId),
}

/// The objects that every scenario has.
pub(crate) const PREDECLARED: [(&str, Object); 3] =
    [("wg", Object::Workgroup), ("cluster", Object::Cluster), ("null", Object::Null)];
