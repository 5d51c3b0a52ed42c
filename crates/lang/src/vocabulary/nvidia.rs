//! Effects of NVIDIA instructions, independent of their spelling.

use tidegate_model::ptx::action::{Action, Bar, Order, Patience, Queue, Reduce};

/// The effect of an instruction. Each comment lists its operands in the order that the parser produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The effect is not modelled.
    Unmodelled,
    /// Object, count.
    Init,
    /// Object, then the register pair that holds the word.
    InitWord,
    /// Object.
    Inval,
    /// Object, and the count if given.
    Arrive,
    /// Object, bytes.
    ArriveExpect,
    /// Object, bytes.
    Expect,
    /// Object, bytes.
    Complete,
    /// Object, then a token or a parity.
    Wait(Patience),
    /// The same; the parity is in bit 31.
    WaitWord(Patience),
    /// Token.
    PendingCount,
    /// Bytes written; then each optionally: bytes read, size, object, mask of CTAs.
    Copy,
    /// Bytes written, bytes read, size.
    CopyOfThread,
    /// Bytes written, a value, object: as many bytes as the type has.
    StoreAsync,
    /// Tiles of shared memory that tensor cores read.
    Tensor,
    /// Object: an arrive once the earlier operations of the thread are complete.
    CommitArrive,
    /// Nothing.
    Commit {
        /// The queue of the operations.
        queue: Queue,
    },
    /// Number of groups that may be incomplete.
    WaitGroup {
        /// The queue of the operations.
        queue: Queue,
    },
    /// Nothing.
    WaitAll,
    /// Nothing.
    Fence,
    /// Object.
    CopyArrive,
    /// Number; for a reduction, the predicate; the thread count if given.
    Bar(Bar),
    /// Mask.
    WarpSync,
    /// Nothing.
    ClusterArrive,
    /// Nothing.
    ClusterWait,
    /// Nothing.
    FenceInit,
    /// None: no effect on barriers.
    Nothing,
    /// Another access to the memory of an object.
    Access,
    /// Moves the last operand to the result; not an operation.
    Move,
}

impl Kind {
    /// Whether its result is a predicate.
    #[must_use]
    pub const fn has_predicate(self) -> bool {
        matches!(self, Self::Wait(Patience::Test | Patience::Try) | Self::WaitWord(_))
    }

    /// Whether its result is a number that only an execution knows.
    #[must_use]
    pub const fn has_count(self) -> bool {
        matches!(self, Self::PendingCount | Self::Bar(Bar::Red))
    }

    /// Whether its result is a token.
    #[must_use]
    pub const fn has_token(self) -> bool {
        matches!(self, Self::Arrive | Self::ArriveExpect)
    }
}

/// The meanings of the modifiers of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The scope of its memory semantics: `.cta` or `.cluster`.
    pub order: Option<Order>,
    /// `.relaxed`.
    pub relaxed: bool,
    /// An arrive that also leaves the object.
    pub drop: bool,
    /// `.noComplete`.
    pub no_complete: bool,
    /// `.noinc`.
    pub no_increment: bool,
    /// `.aligned`.
    pub aligned: bool,
    /// The operand is a parity and no token.
    pub parity: bool,
    /// An arrive that expects bytes.
    pub expect: bool,
    /// A copy that a group of copies completes.
    pub bulk_group: bool,
    /// A copy to several CTAs.
    pub multicast: bool,
    /// A wait for the reads of copies only: `.read`.
    pub read: bool,
    /// A copy of 16 bytes that bypasses the L1 cache: `.cg`.
    pub whole: bool,
    /// `.release`.
    pub release: bool,
    /// `.acquire`.
    pub acquire: bool,
    /// A fence between proxies.
    pub proxy: bool,
    /// A 64-bit type.
    pub wide: bool,
    /// An operation of two CTAs: `.cta_group::2`.
    pub pair: bool,
    /// A tensor core operation that forms a group by itself.
    pub alone: bool,
    /// The reduction of predicates at a barrier.
    pub reduce: Option<Reduce>,
    /// A tensor copy of elements other than a box at its coordinates.
    pub scattered: bool,
    /// Elements of a vector; 0 if it is not a vector.
    pub elements: u8,
    /// An arrive at an object that may be in another CTA.
    pub remote: bool,
    /// Modifiers that require at least this compute capability.
    pub since: u16,
}

impl Flags {
    /// The scope of the instruction, if it orders memory.
    #[must_use]
    pub fn reach(self) -> Order {
        if self.relaxed { Order::Relaxed } else { self.order.unwrap_or(Order::Cta) }
    }

    /// The fence that the modifiers describe; `.acq_rel` by default.
    #[must_use]
    pub fn fence(self) -> Action {
        let both = !self.release && !self.acquire;
        Action::Fence {
            release: self.release || both,
            acquire: self.acquire || both,
            cluster: self.order == Some(Order::Cluster),
        }
    }
}

/// The kind of operand at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The result register, or `_`; it may be omitted before an address.
    Result,
    /// `[OBJECT]`.
    Address,
    /// `[MEMORY]` or `[MEMORY[A..B]]`, or a memory and coordinates.
    Bytes,
    /// A number, a token or an object.
    Value,
    /// An optional number.
    Maybe,
    /// An optional thread count, and a predicate, which may be negated. Produces the predicate first.
    Reduced,
    /// An optional value that is ignored.
    Ignored,
    /// A mask of CTAs, with `.multicast`.
    Mask,
    /// The rank of a CTA, `0x654`, and an address: the address in that CTA. Produces the address and the rank.
    Permuted,
    /// Numbers that do not change a multiplication, then two half floats: a 32-bit word.
    Halves,
    /// `[X, Y]`: coordinates of a tile.
    Coordinates,
    /// Registers, or an address of tensor memory: ignored.
    Skipped,
    /// Whether it is an operation of two CTAs.
    Pair,
    /// A condition without which the operation does not take place.
    Predicate,
    /// `[OBJECT, …]`: objects at which it arrives once its operations are complete.
    Objects,
    /// Shared memory that tensor cores read: `NAME`, `NAME[A..B]`, or a descriptor in a register. Produces nothing for
    /// operands in braces or brackets.
    Tile,
    /// The rest of the statement.
    Rest,
}
