//! What instructions of NVIDIA do, whatever their spelling.

use tidegate_model::ptx::action::{Action, Bar, Order, Patience, Queue, Reduce};

/// What an instruction does. The operands that each needs are given in the order in which the parser leaves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing: what it does is not followed.
    Unmodelled,
    /// Object, count.
    Init,
    /// Object, then the register pair that holds the word.
    InitWord,
    /// Object.
    Inval,
    /// Object, and the count where one is written.
    Arrive,
    /// Object, bytes.
    ArriveExpect,
    /// Object, bytes.
    Expect,
    /// Object, bytes.
    Complete,
    /// Object, then a token or a parity.
    Wait(Patience),
    /// The same; a parity stands in bit 31.
    WaitWord(Patience),
    /// Token.
    PendingCount,
    /// Bytes written, bytes read or nothing, how many or nothing, object or nothing, mask of CTAs or nothing.
    Copy,
    /// Bytes written, bytes read, how many.
    CopyOfThread,
    /// Bytes written, a value, object: so many bytes as the type has.
    StoreAsync,
    /// Tiles of shared memory that tensor cores read.
    Tensor,
    /// Object: an arrive once what the thread started before is done.
    CommitArrive,
    /// Nothing.
    Commit {
        /// Of which operations.
        queue: Queue,
    },
    /// How many groups may be incomplete.
    WaitGroup {
        /// Of which operations.
        queue: Queue,
    },
    /// Nothing.
    WaitAll,
    /// Nothing.
    Fence,
    /// Object.
    CopyArrive,
    /// Number, with a reduction the predicate, and the thread count where one is written.
    Bar(Bar),
    /// Mask.
    WarpSync,
    /// Nothing.
    ClusterArrive,
    /// Nothing.
    ClusterWait,
    /// Nothing.
    FenceInit,
    /// Nothing that a barrier sees.
    Nothing,
    /// Another access to the memory of an object.
    Access,
    /// Takes the last operand into the result: no operation.
    Move,
}

impl Kind {
    /// Whether it yields a predicate.
    pub(crate) const fn has_predicate(self) -> bool {
        matches!(self, Self::Wait(Patience::Test | Patience::Try) | Self::WaitWord(_))
    }

    /// Whether it yields a number that only an execution knows.
    pub(crate) const fn has_count(self) -> bool {
        matches!(self, Self::PendingCount | Self::Bar(Bar::Red))
    }

    /// Whether it yields a token.
    pub(crate) const fn has_token(self) -> bool {
        matches!(self, Self::Arrive | Self::ArriveExpect)
    }
}

/// What the modifiers of an instruction say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) order: Option<Order>,
    pub(crate) relaxed: bool,
    pub(crate) drop: bool,
    pub(crate) no_complete: bool,
    pub(crate) no_increment: bool,
    pub(crate) aligned: bool,
    pub(crate) parity: bool,
    pub(crate) expect: bool,
    pub(crate) bulk_group: bool,
    pub(crate) multicast: bool,
    pub(crate) read: bool,
    /// A copy of 16 bytes, past the nearest cache: `.cg`.
    pub(crate) whole: bool,
    pub(crate) release: bool,
    pub(crate) acquire: bool,
    pub(crate) proxy: bool,
    /// Of a type of 64 bits.
    pub(crate) wide: bool,
    /// An operation of two CTAs: `.cta_group::2`.
    pub(crate) pair: bool,
    /// Of tensor cores, and a group of its own.
    pub(crate) alone: bool,
    /// What a barrier makes of predicates.
    pub(crate) reduce: Option<Reduce>,
    /// A tensor copy of other elements than those of a box at its coordinates.
    pub(crate) scattered: bool,
    /// Elements of a vector; 0 where it is none.
    pub(crate) elements: u8,
    /// An arrive at an object that may be another CTA's.
    pub(crate) remote: bool,
    /// Modifiers that ask for this compute capability or later.
    pub(crate) since: u16,
}

impl Flags {
    /// How far the instruction reaches, if it orders anything.
    pub(crate) fn reach(self) -> Order {
        if self.relaxed { Order::Relaxed } else { self.order.unwrap_or(Order::Cta) }
    }

    /// The fence that the modifiers say: `.acq_rel` unless they say otherwise.
    pub(crate) fn fence(self) -> Action {
        let both = !self.release && !self.acquire;
        Action::Fence {
            release: self.release || both,
            acquire: self.acquire || both,
            cluster: self.order == Some(Order::Cluster),
        }
    }
}

/// What stands at one place among the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The register that takes the result, or `_`; it may be left out before an address.
    Result,
    /// `[OBJECT]`.
    Address,
    /// `[MEMORY]` or `[MEMORY[A..B]]`, or a memory and coordinates.
    Bytes,
    /// A number, a token or an object.
    Value,
    /// A number that may be left out.
    Maybe,
    /// A thread count that may be left out, and a predicate, which may be negated: leaves the predicate first.
    Reduced,
    /// A value that may be left out and says nothing here.
    Ignored,
    /// A mask of CTAs, with `.multicast`.
    Mask,
    /// The rank of a CTA, `0x654`, and an address: the address in that CTA. Leaves the address and the rank.
    Permuted,
    /// Numbers that a multiplication leaves as they are, then two half floats: a word of 32 bits.
    Halves,
    /// `[X, Y]`: coordinates of a tile.
    Coordinates,
    /// Registers, or an address of tensor memory: says nothing here.
    Skipped,
    /// Whether it is an operation of two CTAs.
    Pair,
    /// `[OBJECT, …]`: objects at which it arrives once what it does is done.
    Objects,
    /// Shared memory that tensor cores read: `NAME`, `NAME[A..B]`, or a descriptor in a register. Leaves nothing for what
    /// stands in braces or brackets.
    Tile,
    /// Whatever is left of the statement.
    Rest,
}
