//! Operations of NVIDIA: what one agent does in one step. Operands are already values.

use crate::mem::operation::Range;
use crate::ptx::tile::Tile;

/// In which CTA an mbarrier object stands, as an operation says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In the CTA of the agent.
    Own,
    /// In the CTA of that rank in the cluster of the agent.
    Rank(u32),
}

/// An mbarrier object as an operation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// Its index among the declared objects, elements of arrays counted one by one.
    pub index: u16,
    /// In which CTA.
    pub place: Place,
}

/// What an operation orders, and how far that reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Nothing: `.relaxed`.
    Relaxed,
    /// Within the CTA: `.cta`, which is the default.
    Cta,
    /// Within the cluster: `.cluster`, and whatever reaches further.
    Cluster,
}

/// The form of an arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrive {
    /// Arrivals, as written.
    pub count: i64,
    /// Whether it also lowers the expected count of later phases.
    pub drop: bool,
    /// Whether it must not complete the phase.
    pub no_complete: bool,
    /// Bytes that it expects first.
    pub expect: Option<i64>,
    /// What it releases.
    pub order: Order,
    /// The register that takes the token.
    pub token: Option<u16>,
}

/// Whether a parity as written is that of the odd phases.
#[must_use]
pub const fn is_odd(parity: i64) -> bool {
    parity & 1 != 0
}

/// Which phase a wait asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asked {
    /// The phase of that parity, running or just before, as written. Only the lowest bit counts.
    Parity(i64),
    /// The phase of the token in that register.
    Token(u16),
}

/// How a wait waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Patience {
    /// `test_wait`: says at once whether the phase completed.
    Test,
    /// `try_wait`: the same after some time; it may say no for no reason.
    Try,
    /// Goes on only when the phase completed, like a loop around `try_wait`.
    Block,
}

/// What a warp does at a barrier of its CTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bar {
    /// Arrives and waits.
    Sync,
    /// Arrives.
    Arrive,
    /// Arrives, waits, and takes part in a reduction.
    Red,
}

/// How a barrier reduces the predicates of the threads that come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduce {
    /// `.popc`: how many hold.
    Count,
    /// `.and`: whether all hold.
    All,
    /// `.or`: whether one holds.
    Any,
}

/// What a thread brings to a reduction, and where the result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reduction {
    /// What is made of the predicates.
    pub reduce: Reduce,
    /// The thread's own; none where it is computed from what is not known.
    pub predicate: Option<bool>,
    /// The register that takes the result.
    pub register: Option<u16>,
}

/// Which asynchronous operations of a thread a group is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// `cp.async`.
    Thread,
    /// `cp.async.bulk`.
    Bulk,
    /// Operations of tensor cores: `wgmma`, `tcgen05`.
    Tensor,
}

/// What an operation of tensor cores reads of shared memory by one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reads {
    /// Nothing: the operand is in registers or in tensor memory.
    Nothing,
    /// These bytes.
    Bytes(Range),
    /// Some of these bytes: where a tile begins is known and not how far it reaches.
    Within(Range),
    /// Any shared memory: its descriptor is not known.
    Any,
}

impl Reads {
    /// The bytes of a matrix that lie side by side in every layout.
    const LEAST: u32 = 16;

    /// What is read for certain.
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

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// `mbarrier.test_wait`, `mbarrier.try_wait`, and waits of other vocabularies. Outcome 1: the phase completed.
    Wait {
        /// The object.
        name: Name,
        /// Which phase.
        asked: Asked,
        /// How it waits.
        patience: Patience,
        /// What it acquires.
        order: Order,
    },
    /// `mbarrier.pending_count` of the token in that register.
    PendingCount {
        /// The register.
        token: u16,
        /// The register that takes the count.
        register: Option<u16>,
    },
    /// Whether the number that an operation left in a register is so large. Outcome 1: it is.
    Compare {
        /// The register.
        register: u16,
        /// The least number for which it is.
        least: u32,
    },
    /// Another access to the memory of an mbarrier object.
    Access {
        /// The object.
        name: Name,
    },
    /// `cp.async.bulk` and its like: a copy that completes on its own, possibly in chunks; `cp.async`.
    Copy {
        /// The object whose tx-count it completes; none for a copy that a group of copies tracks.
        name: Option<Name>,
        /// Whether groups of bulk copies track it, else those of `cp.async`.
        bulk: bool,
        /// CTAs of the cluster that get a copy, one bit for each rank (`.multicast`); none: the one that is named.
        ranks: Option<u16>,
        /// How many bytes.
        bytes: i64,
        /// What it writes.
        to: Option<Range>,
        /// What it reads.
        from: Option<Range>,
        /// Whether it reduces what is there with what it brings: such accesses are atomic, and never race with each other.
        reduces: bool,
        /// Which part of a tensor in global memory it reads or writes, where coordinates say so.
        tile: Option<Tile>,
    },
    /// `wgmma.mma_async`, `tcgen05.mma` and `tcgen05.cp`: reads shared memory until its group or its commit is waited for.
    Tensor {
        /// By operand.
        reads: [Reads; 2],
        /// Whether it reads the memory of the other CTA of its pair, too (`.cta_group::2`).
        pair: bool,
        /// Whether it is a group of its own.
        alone: bool,
    },
    /// `cp.async.mbarrier.arrive`: an arrive when the thread's earlier `cp.async` are complete; `tcgen05.commit`: when its
    /// operations of tensor cores are.
    CopyArrive {
        /// The object.
        name: Name,
        /// Whether the pending count stays as it is now.
        no_increment: bool,
        /// Threads that perform it, each of which arrives.
        threads: u32,
        /// Whether it is about copies: whoever observes the phase knows that they are complete.
        of_copies: bool,
        /// CTAs of the cluster at whose object it arrives, as of a copy (`.multicast`).
        ranks: Option<u16>,
    },
    /// `cp.async.commit_group`: the copies that the thread has started since the last one are a group.
    Commit {
        /// Of which operations.
        queue: Queue,
    },
    /// `cp.async.wait_group`: waits until at most this many groups of the thread are incomplete.
    WaitGroup {
        /// Of which operations.
        queue: Queue,
        /// How many; none: every copy is waited for, in a group or not.
        most: Option<u32>,
        /// Whether it is enough that the copies have read (`.read`).
        read: bool,
    },
    /// `bar` and `barrier.cta`.
    Bar {
        /// The barrier, as written.
        id: i64,
        /// Threads that take part; none: all of the CTA.
        threads: Option<i64>,
        /// What is done there.
        kind: Bar,
        /// What it brings to a reduction whose result it takes.
        reduction: Option<Reduction>,
        /// Whether all threads of the warp execute it together.
        aligned: bool,
        /// Which instruction of the text it is.
        site: u32,
    },
    /// `bar.warp.sync` with a mask of lanes.
    WarpSync {
        /// Lanes that take part.
        mask: u32,
    },
    /// `barrier.cluster.arrive`.
    ClusterArrive {
        /// Whether it releases.
        order: Order,
        /// Where all threads of the warp execute it together: which instruction of the text it is.
        aligned: Option<u32>,
    },
    /// `barrier.cluster.wait`.
    ClusterWait {
        /// Whether it acquires.
        order: Order,
        /// Where all threads of the warp execute it together: which instruction of the text it is.
        aligned: Option<u32>,
    },
    /// `fence.mbarrier_init`: makes initialisations so far part of the next cluster-wide release, relaxed or not.
    FenceInit,
    /// `fence` and `membar`: makes relaxed operations after it release what is before, and what relaxed operations before
    /// it saw known after it.
    Fence {
        /// Whether it releases.
        release: bool,
        /// Whether it acquires.
        acquire: bool,
        /// Whether it reaches further than the CTA.
        cluster: bool,
    },
    /// Fences between proxies, and instructions without an effect on barriers.
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

    /// The CTAs of the cluster in which it acts on the object of its name, one bit for each rank; none: in the one that is
    /// named.
    #[must_use]
    pub const fn ranks(self) -> Option<u16> {
        match self {
            Self::Copy { name: Some(_), ranks, .. } | Self::CopyArrive { ranks, .. } => ranks,
            _ => None,
        }
    }

    /// The register that it reads a token from.
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

    /// The register that takes its token.
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

/// Which spelling an operation had: it decides on which targets it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// PTX, from that compute capability on (90 for `sm_90`).
    Ptx(u16),
    /// PTX of one generation of tensor cores: from that compute capability on, and before the other.
    PtxBetween(u16, u16),
    /// SASS: `SYNCS`, from compute capability 9.0 on.
    Sass,
    /// TLX, on NVIDIA and in software on AMDGPU.
    Tlx,
    /// TLX on named barriers, which only NVIDIA has.
    TlxNamed,
    /// TLX copies, which only NVIDIA has.
    TlxCopy,
}
