//! Machine instructions of a lowering, independent of their spelling.

use crate::mem::operation::Waits;
use crate::operation::Mnemonic;
use crate::program::NodeId;

/// The object operand of a barrier instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierOperand {
    /// None (`s_barrier`, `s_barrier_leave`).
    Nothing,
    /// An immediate: the barrier ID.
    Id(i8),
    /// The register m0.
    M0,
}

/// The scope of a cache instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is what LLVM prints for it
pub enum Policy {
    Plain,
    Sc1,
    Sc0Sc1,
    ScopeSe,
    ScopeDev,
    ScopeSys,
}

/// The condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `s_branch`
    Always,
    /// `s_cbranch_scc1`
    Scc1,
}

/// One instruction or pseudo-instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `s_mov_b32 m0, …`
    SetM0(u32),
    /// An instruction on a barrier object.
    Barrier(Mnemonic, BarrierOperand),
    /// `s_waitcnt` with these counters.
    Waitcnt(Waits),
    /// A wait until one counter, or two, are at most this value.
    WaitFor(Mnemonic, u16),
    /// A cache instruction.
    Cache(Mnemonic, Policy),
    /// `s_cmp_eq_u32` of the register in which the caller passes the number of a block of a `choose`, from 0.
    Compare(u32),
    /// `s_cmp_eq_u32 0, 0`: sets the condition code. LLVM puts it before `s_barrier_signal_isfirst`, which hardware ignores in
    /// a workgroup of one wave: that wave is then the first.
    SetCondition,
    /// A branch to the label of a node.
    Branch(Condition, NodeId),
    /// `s_endpgm`
    End,
    /// The operation of the node itself: machine code of the scenario, unchanged.
    AsWritten,
    /// The operation of the node itself: it has no machine code and defines the memory semantics.
    Kept,
}
