//! Machine instructions of a lowering, as values. How they are spelled is not known here.

use crate::mem::operation::Waits;
use crate::operation::Mnemonic;
use crate::program::NodeId;

/// What a barrier instruction names its object by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierOperand {
    /// Nothing (`s_barrier`, `s_barrier_leave`).
    Nothing,
    /// An immediate: the barrier ID.
    Id(i8),
    /// The register m0.
    M0,
}

/// How far a cache instruction reaches.
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

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `s_branch`
    Always,
    /// `s_cbranch_scc1`
    Scc1,
}

/// One instruction, or what stands among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `s_mov_b32 m0, …`
    SetM0(u32),
    /// An instruction on a barrier object.
    Barrier(Mnemonic, BarrierOperand),
    /// `s_waitcnt` with these counters.
    Waitcnt(Waits),
    /// A wait for one counter, or two, to show no more than this.
    WaitFor(Mnemonic, u16),
    /// A cache instruction.
    Cache(Mnemonic, Policy),
    /// `s_cmp_eq_u32` of the register that a caller fills with the number of a block of a `choose`, from 0.
    Compare(u32),
    /// `s_cmp_eq_u32 0, 0`: sets the condition code. LLVM puts it before `s_barrier_signal_isfirst`, which hardware ignores in
    /// a workgroup of one wave: that wave is then the first.
    SetCondition,
    /// A branch to the label of a node.
    Branch(Condition, NodeId),
    /// `s_endpgm`
    End,
    /// The operation of the node itself: machine code of the scenario that stays as it is.
    AsWritten,
    /// The operation of the node itself: no machine code stands for it, and it says what memory means.
    Kept,
}
