//! Operations of NVIDIA: one step of one agent. Operands are values.

use crate::mem::operation::Range;
use crate::ptx::tile::Tile;

/// The CTA of an mbarrier object, as an operation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Place {
    /// In the CTA of the agent.
    Own,
    /// In the CTA with this rank in the cluster of the agent.
    Rank(u32),
}

/// An mbarrier object as an operation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Name {
    /// Its index among the declared objects; array elements count separately.
    pub index: u16,
    /// Its CTA.
    pub place: Place,
}

/// The memory order and scope of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// Nothing: `.relaxed`.
    Relaxed,
    /// Within the CTA: `.cta`, which is the default.
    Cta,
    /// Within the cluster: `.cluster` and wider scopes.
    Cluster,
}

/// The form of an arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Arrive {
    /// Arrivals, as written.
    pub count: i64,
    /// Whether it also decrements the expected count of later phases.
    pub drop: bool,
    /// Whether it must not complete the phase.
    pub no_complete: bool,
    /// Bytes that it expects before it arrives.
    pub expect: Option<i64>,
    /// Its release semantics.
    pub order: Order,
    /// The destination register of the token.
    pub token: Option<u16>,
}

/// Whether a parity, as written, is that of the odd phases.
#[must_use]
pub const fn is_odd(parity: i64) -> bool {
    parity & 1 != 0
}

/// The phase that a wait waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Asked {
    /// The current or previous phase with this parity, as written. Only the lowest bit counts.
    Parity(i64),
    /// The phase of the token in this register.
    Token(u16),
}

/// The blocking behaviour of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Patience {
    /// `test_wait`: returns at once whether the phase has completed.
    Test,
    /// `try_wait`: returns after a limited time; it may fail spuriously.
    Try,
    /// Continues only when the phase completes, like a loop around `try_wait`.
    Block,
}

/// The operation of a warp at a barrier of its CTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bar {
    /// Arrives and waits.
    Sync,
    /// Arrives.
    Arrive,
    /// Arrives, waits, and participates in a reduction.
    Red,
}

/// The reduction of the predicates of the participating threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reduce {
    /// `.popc`: the number of true predicates.
    Count,
    /// `.and`: whether all predicates are true.
    All,
    /// `.or`: whether any predicate is true.
    Any,
}

/// The input of a thread to a reduction, and the destination of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reduction {
    /// The reduction of the predicates.
    pub reduce: Reduce,
    /// The predicate of the thread; `None` if it is unknown.
    pub predicate: Option<bool>,
    /// The destination register of the result.
    pub register: Option<u16>,
}

/// The kind of asynchronous operations in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Queue {
    /// `cp.async`.
    Thread,
    /// `cp.async.bulk`.
    Bulk,
    /// Tensor core operations: `wgmma`, `tcgen05`.
    Tensor,
}

/// The shared memory that a tensor core operation reads through one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reads {
    /// Nothing: the operand is in registers or in tensor memory.
    Nothing,
    /// These bytes.
    Bytes(Range),
    /// Some of these bytes: the start of the tile is known, but not its size.
    Within(Range),
    /// Any shared memory: the descriptor is unknown.
    Any,
}

impl Reads {
    /// The number of bytes of a matrix that are contiguous in every layout.
    const LEAST: u32 = 16;

    /// The bytes that it reads, or among which these are; `None` if there are none, or any.
    #[must_use]
    pub const fn range(self) -> Option<Range> {
        match self {
            Self::Bytes(range) | Self::Within(range) => Some(range),
            Self::Nothing | Self::Any => None,
        }
    }

    /// The bytes that are certainly read.
    #[must_use]
    pub const fn certain(self) -> Self {
        match self {
            Self::Within(Range { buffer, start, end }) => {
                let least = start.saturating_add(Self::LEAST);
                Self::Bytes(Range { buffer, start, end: if least < end { least } else { end } })
            }
            Self::Any => Self::Nothing,
            other => other,
        }
    }
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// `mbarrier.init`.
    Init {
        /// The object.
        name: Name,
        /// Expected arrivals, as written.
        count: i64,
    },
    /// `mbarrier.inval`.
    Inval {
        /// The object.
        name: Name,
    },
    /// `mbarrier.arrive` and `mbarrier.arrive_drop`.
    Arrive {
        /// The object.
        name: Name,
        /// Its form.
        form: Arrive,
    },
    /// `mbarrier.expect_tx`.
    Expect {
        /// The object.
        name: Name,
        /// Bytes.
        bytes: i64,
    },
    /// `mbarrier.complete_tx`.
    Complete {
        /// The object.
        name: Name,
        /// Bytes.
        bytes: i64,
    },
    /// `mbarrier.test_wait`, `mbarrier.try_wait`, and waits of other vocabularies. Outcome 1: the phase is complete.
    Wait {
        /// The object.
        name: Name,
        /// The phase.
        asked: Asked,
        /// Its blocking behaviour.
        patience: Patience,
        /// Its acquire semantics.
        order: Order,
    },
    /// `mbarrier.pending_count` of the token in a register.
    PendingCount {
        /// The register.
        token: u16,
        /// The destination register of the count.
        register: Option<u16>,
    },
    /// Compares the number in a register with a limit. Outcome 1: it is at least the limit.
    Compare {
        /// The register.
        register: u16,
        /// The bound.
        least: u32,
    },
    /// Another access to the memory of an mbarrier object.
    Access {
        /// The object.
        name: Name,
    },
    /// `cp.async.bulk` and similar copies, which complete asynchronously and possibly in parts; `cp.async`.
    Copy {
        /// The object whose tx-count it completes; `None` for a copy that a group tracks.
        name: Option<Name>,
        /// Whether groups of bulk copies track it, instead of groups of `cp.async`.
        bulk: bool,
        /// CTAs of the cluster that receive a copy, one bit per rank (`.multicast`); `None`: only the named CTA.
        ranks: Option<u16>,
        /// The number of bytes.
        bytes: i64,
        /// The bytes that it writes.
        to: Option<Range>,
        /// The bytes that it reads.
        from: Option<Range>,
        /// Whether it reduces into the destination. Such accesses are atomic and never race with each other.
        reduces: bool,
        /// The part of a tensor in global memory that it reads or writes, if coordinates give it.
        tile: Option<Tile>,
    },
    /// `wgmma.mma_async`, `tcgen05.mma` and `tcgen05.cp`: reads shared memory until a wait for its group or its commit.
    Tensor {
        /// By operand.
        reads: [Reads; 2],
        /// Whether it also reads the memory of the other CTA of its pair (`.cta_group::2`).
        pair: bool,
        /// Whether it is a group by itself.
        alone: bool,
    },
    /// `cp.async.mbarrier.arrive`: arrives when the earlier `cp.async` of the thread are complete. `tcgen05.commit`: arrives
    /// when its tensor core operations are complete.
    CopyArrive {
        /// The object.
        name: Name,
        /// Whether the pending count is not incremented (`.noinc`).
        no_increment: bool,
        /// The number of threads that perform it; each arrives.
        threads: u32,
        /// Whether it tracks copies: an agent that observes the phase knows that they are complete.
        of_copies: bool,
        /// CTAs of the cluster at whose object it arrives, as for a copy (`.multicast`).
        ranks: Option<u16>,
    },
    /// `cp.async.commit_group`: makes a group of the copies that the thread started since the last group.
    Commit {
        /// The kind of operations.
        queue: Queue,
    },
    /// `cp.async.wait_group`: waits until at most this many groups of the thread are incomplete.
    WaitGroup {
        /// The kind of operations.
        queue: Queue,
        /// The maximum number; `None`: waits for every copy, in a group or not.
        most: Option<u32>,
        /// Whether it only waits until the copies have read (`.read`).
        read: bool,
    },
    /// `bar` and `barrier.cta`.
    Bar {
        /// The barrier, as written.
        id: i64,
        /// The number of participating threads; `None`: all threads of the CTA.
        threads: Option<i64>,
        /// The operation at the barrier.
        kind: Bar,
        /// Its input to a reduction whose result it uses.
        reduction: Option<Reduction>,
        /// Whether all threads of the warp execute it together.
        aligned: bool,
        /// The index of the instruction in the scenario.
        site: u32,
    },
    /// `bar.warp.sync` with a mask of lanes.
    WarpSync {
        /// Participating lanes.
        mask: u32,
    },
    /// `barrier.cluster.arrive`.
    ClusterArrive {
        /// Whether it releases.
        order: Order,
        /// For an aligned instruction, its index in the scenario.
        aligned: Option<u32>,
    },
    /// `barrier.cluster.wait`.
    ClusterWait {
        /// Whether it acquires.
        order: Order,
        /// For an aligned instruction, its index in the scenario.
        aligned: Option<u32>,
    },
    /// `fence.mbarrier_init`: adds earlier initialisations to the next cluster-wide release, even if that is relaxed.
    FenceInit,
    /// `fence` and `membar`: later relaxed operations release earlier operations, and earlier relaxed operations acquire for
    /// later operations.
    Fence {
        /// Whether it releases.
        release: bool,
        /// Whether it acquires.
        acquire: bool,
        /// Whether its scope is wider than the CTA.
        cluster: bool,
    },
    /// Proxy fences, and instructions without an effect on barriers.
    Nothing,
}

impl Action {
    /// The mbarrier object that it names, if it names one.
    #[must_use]
    pub const fn name(self) -> Option<Name> {
        match self {
            Self::Init { name, .. }
            | Self::Inval { name }
            | Self::Arrive { name, .. }
            | Self::Expect { name, .. }
            | Self::Complete { name, .. }
            | Self::Wait { name, .. }
            | Self::Access { name }
            | Self::CopyArrive { name, .. } => Some(name),
            Self::Copy { name, .. } => name,
            _ => None,
        }
    }

    /// The CTAs of the cluster in which it acts on its object, one bit per rank; `None`: only the named CTA.
    #[must_use]
    pub const fn ranks(self) -> Option<u16> {
        match self {
            Self::Copy { name: Some(_), ranks, .. } | Self::CopyArrive { ranks, .. } => ranks,
            _ => None,
        }
    }

    /// The source register of its token.
    #[must_use]
    pub const fn reads_token(self) -> Option<u16> {
        match self {
            Self::Wait { asked: Asked::Token(token), .. } | Self::PendingCount { token, .. } => {
                Some(token)
            }
            Self::Compare { register, .. } => Some(register),
            _ => None,
        }
    }

    /// The destination register of its token.
    #[must_use]
    pub const fn writes_token(self) -> Option<u16> {
        match self {
            Self::Arrive { form, .. } => form.token,
            Self::PendingCount { register, .. } => register,
            Self::Bar { reduction: Some(reduction), .. } => reduction.register,
            _ => None,
        }
    }
}

/// The spelling of an operation, which decides the targets that support it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Spelling {
    /// PTX, from this compute capability (90 for `sm_90`).
    Ptx(u16),
    /// PTX of one generation of tensor cores: from the first compute capability, and before the second.
    PtxBetween(u16, u16),
    /// SASS: `SYNCS`, from compute capability 9.0.
    Sass,
    /// TLX, on NVIDIA and in software on AMDGPU.
    Tlx,
    /// TLX on named barriers, which only NVIDIA has.
    TlxNamed,
    /// TLX copies, which only NVIDIA has.
    TlxCopy,
    /// Barriers in LDS of GFX12.5, and what a kernel that uses them does beside.
    Lds,
}
