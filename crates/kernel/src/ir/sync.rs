//! Synchronisation. An operand that must be known but is data makes the verdict `unknown`.

use super::operand::{Operand, Reg};
use tidegate_model::opencl::action::Group;
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Reduce, Spelling};

/// A barrier operation of AMDGPU. The barrier is its ID, -4 to 16, sign-extended from 32 bits, or the address of an object
/// that is a named barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amdgpu {
    /// `s_barrier`: an *arrive* and a *wait* on the workgroup barrier.
    Barrier,
    /// *init*.
    Init {
        /// The barrier.
        barrier: Operand,
        /// The expected count.
        count: Operand,
    },
    /// *arrive*.
    Arrive {
        /// The barrier.
        barrier: Operand,
        /// The new expected count; 0 does not change it.
        count: Operand,
        /// The register (1 bit) that says whether the arrival is the first of its phase.
        is_first: Option<Reg>,
    },
    /// *wait*.
    Wait {
        /// The barrier.
        barrier: Operand,
    },
    /// *join*.
    Join {
        /// The barrier.
        barrier: Operand,
    },
    /// *drop* of the barrier joined last.
    Leave,
    /// Reads the state word.
    ReadState {
        /// The barrier.
        barrier: Operand,
        /// The result, which is data.
        to: Reg,
    },
}

/// The sizes of the two matrices of tensor cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matrices {
    /// Rows of each matrix; 0 if they are not known.
    pub rows: [u16; 2],
    /// Whether the rows of each matrix are the contiguous dimension (MN-major), rather than its columns (K-major).
    pub transposed: [bool; 2],
    /// The size of an element in bytes; an instruction multiplies 32 bytes of each row.
    pub element: u8,
}

/// An operation of NVIDIA. An mbarrier object is named by its address in shared memory. An address with bit 31 set is in the
/// CTA whose rank in the cluster is in bits 24 to 30, otherwise in the own CTA. An address may be generic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nvidia {
    /// What it does.
    pub kind: NvidiaKind,
    /// Its operands, in the order that the kind says.
    pub operands: alloc::vec::Vec<Operand>,
    /// The registers that it writes.
    pub results: alloc::vec::Vec<Reg>,
    /// How the text spells it, which decides the targets that have it.
    pub spelling: Spelling,
}

/// The kinds of operations of NVIDIA, each with its operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NvidiaKind {
    /// `mbarrier.init`: address, count.
    Init,
    /// `mbarrier.inval`: address.
    Inval,
    /// `mbarrier.arrive`: address, count, bytes if `expects`. Result: the token, if wanted.
    Arrive {
        /// `arrive_drop`.
        drop: bool,
        /// `.noComplete`.
        no_complete: bool,
        /// `.expect_tx`.
        expects: bool,
        /// Its memory order.
        order: Order,
    },
    /// `mbarrier.expect_tx`: address, bytes.
    Expect,
    /// `mbarrier.complete_tx`: address, bytes.
    Complete,
    /// `mbarrier.test_wait` and `try_wait`: address, parity or token. Result: 1 bit, whether the phase is complete.
    Wait {
        /// Whether operand 1 is a parity.
        parity: bool,
        /// Its blocking behaviour.
        patience: Patience,
        /// Its memory order.
        order: Order,
    },
    /// `SYNCS.PHASECHK`: address, and a register of 32 bits that holds a token or the parity in bit 31. Result: 1 bit.
    WaitWord {
        /// Its blocking behaviour.
        patience: Patience,
        /// Its memory order.
        order: Order,
    },
    /// `mbarrier.pending_count`: token. Result: the count.
    PendingCount,
    /// `cp.async`: destination, source, bytes written, bytes read.
    CopyAsync,
    /// `cp.async.bulk` from global to shared memory: destination, source, bytes, address of the mbarrier, mask of ranks. The
    /// mask is 0 without multicast. A source that is `Data` is not memory (`st.async`).
    CopyBulk {
        /// Whether it reduces into the destination (`red.async`).
        reduces: bool,
    },
    /// `cp.async.bulk` from shared to global memory, tracked by bulk groups: destination, source, bytes.
    CopyBulkOut {
        /// Whether it reduces into the destination.
        reduces: bool,
    },
    /// `cp.async.bulk.tensor` into shared memory: destination, tensor map, bytes or 0, address of the mbarrier, mask of
    /// ranks, then coordinates.
    CopyTensor {
        /// Whether the elements are not those of a box at its coordinates (`im2col`, `tile::gather4`).
        scattered: bool,
    },
    /// `cp.async.bulk.tensor` out of shared memory: source, tensor map, bytes or 0, then coordinates.
    CopyTensorOut {
        /// Whether it reduces into the destination.
        reduces: bool,
    },
    /// `cp.async.mbarrier.arrive` and `tcgen05.commit`: address, mask of ranks.
    CopyArrive {
        /// `.noinc`.
        no_increment: bool,
        /// Whether it tracks copies.
        of_copies: bool,
    },
    /// `wgmma.mma_async`, `tcgen05.mma`: two descriptors or addresses of shared memory; all ones for an operand in registers.
    /// Then the instruction descriptor of `tcgen05.mma`, if it gives the rows; or the number of bytes of each operand, if the
    /// first two are addresses.
    Tensor {
        /// `.cta_group::2`.
        pair: bool,
        /// Whether it forms a group of its own.
        alone: bool,
        /// The sizes of the matrices.
        matrices: Matrices,
    },
    /// `commit_group`.
    Commit(Queue),
    /// `wait_group`: the number of groups.
    WaitGroup(Queue, bool),
    /// `wait_all`.
    WaitAll(Queue),
    /// `bar` and `barrier.cta`: id, number of threads or `Int(0)` for all, predicate if it reduces. Result: the reduction.
    Bar {
        /// What it does.
        kind: Bar,
        /// The reduction.
        reduce: Option<Reduce>,
        /// `.aligned`.
        aligned: bool,
    },
    /// `bar.warp.sync`: mask. Without `orders`, it is a shuffle, vote or similar operation with `.sync`, which waits for the
    /// threads of the mask but does not order memory.
    WarpSync {
        /// Whether it orders memory.
        orders: bool,
    },
    /// `barrier.cluster.arrive`.
    ClusterArrive {
        /// Its memory order.
        order: Order,
        /// `.aligned`.
        aligned: bool,
    },
    /// `barrier.cluster.wait`.
    ClusterWait {
        /// Its memory order.
        order: Order,
        /// `.aligned`.
        aligned: bool,
    },
    /// `fence.mbarrier_init`.
    FenceInit,
    /// `fence`, `membar`.
    Fence {
        /// Whether it releases.
        release: bool,
        /// Whether it acquires.
        acquire: bool,
        /// Whether its scope is wider than the CTA.
        cluster: bool,
    },
    /// `fence.proxy.async`.
    FenceProxy,
    /// A copy of a tile between global memory and LDS (`tensor_load_to_lds` and `tensor_store_from_lds` of AMDGPU), once for a
    /// wave: address in LDS, bytes or 0, whether it arrives at a barrier in LDS when it is complete, address of the barrier.
    CopyTile {
        /// Whether it copies to LDS.
        to_local: bool,
    },
}

impl NvidiaKind {
    /// Whether the number of threads of a warp that perform it matters, because each of them arrives or copies separately.
    pub(crate) const fn counts_threads(&self) -> bool {
        matches!(
            self,
            Self::Arrive { .. }
                | Self::Expect
                | Self::Complete
                | Self::CopyBulk { .. }
                | Self::CopyTensor { .. }
                | Self::CopyArrive { .. }
        )
    }
}

/// A barrier of OpenCL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opencl {
    /// `barrier`, `work_group_barrier`, `sub_group_barrier`: flags 1 for local, 2 for global memory, 4 for images; the
    /// scope, by its number in OpenCL 2.0, if it is written.
    Barrier {
        /// The group that it synchronises.
        group: Group,
        /// Flags.
        flags: Operand,
        /// Scope.
        scope: Option<Operand>,
        /// The register for a result that is the same for all work-items of the work-group, such as that of `work_group_any`.
        shares: Option<Reg>,
        /// Operands that must be the same for all work-items of the group, if it is a group function other than a barrier.
        same: alloc::vec::Vec<Operand>,
    },
    /// `intel_work_group_barrier_arrive`, with the same operands.
    Arrive {
        /// Flags.
        flags: Operand,
        /// Scope.
        scope: Option<Operand>,
    },
    /// `intel_work_group_barrier_wait`, with the same operands.
    Await {
        /// Flags.
        flags: Operand,
        /// Scope.
        scope: Option<Operand>,
    },
}
