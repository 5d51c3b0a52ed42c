//! The instructions and intrinsics that LLVM accepts, measured: one probe for each that the scenario language supports.
//!
//! The assembler test gives every probe to the tools for every processor and fails if a row differs from the result.

use super::fact::{Fact, Outcome, What};
use crate::operation::{Intrinsic, Mnemonic};

const fn assembled(mnemonic: Mnemonic, probe: &'static str, takes: &'static str) -> Fact {
    Fact { what: What::Machine(mnemonic), probe, takes, otherwise: Outcome::Rejected }
}

const fn compiled(
    intrinsic: Intrinsic,
    probe: &'static str,
    takes: &'static str,
    otherwise: Outcome,
) -> Fact {
    Fact { what: What::Intrinsic(intrinsic), probe, takes, otherwise }
}

/// Machine instructions, in the order of [`Mnemonic`].
pub static MACHINE: [Fact; Mnemonic::NAMED.len()] = [
    assembled(Mnemonic::SBarrier, "s_barrier", "gfx6-gfx11"),
    assembled(Mnemonic::SBarrierSignal, "s_barrier_signal -1", "gfx12"),
    assembled(Mnemonic::SBarrierSignalIsfirst, "s_barrier_signal_isfirst -1", "gfx12"),
    assembled(Mnemonic::SBarrierWait, "s_barrier_wait -1", "gfx12"),
    assembled(Mnemonic::SBarrierInit, "s_barrier_init m0", "gfx12"),
    assembled(Mnemonic::SBarrierJoin, "s_barrier_join 1", "gfx12"),
    assembled(Mnemonic::SBarrierLeave, "s_barrier_leave", "gfx12"),
    assembled(Mnemonic::SGetBarrierState, "s_get_barrier_state s0, -1", "gfx12"),
    assembled(Mnemonic::SWaitcnt, "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", "gfx6-gfx11 gfx12.0"),
    assembled(Mnemonic::SWaitcntVmcnt, "s_waitcnt_vmcnt null, 0x0", "gfx10-gfx11"),
    assembled(Mnemonic::SWaitcntExpcnt, "s_waitcnt_expcnt null, 0x0", "gfx10-gfx11"),
    assembled(Mnemonic::SWaitcntLgkmcnt, "s_waitcnt_lgkmcnt null, 0x0", "gfx10-gfx11"),
    assembled(Mnemonic::SWaitcntVscnt, "s_waitcnt_vscnt null, 0x0", "gfx10-gfx11"),
    assembled(Mnemonic::SWaitLoadcnt, "s_wait_loadcnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitStorecnt, "s_wait_storecnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitDscnt, "s_wait_dscnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitKmcnt, "s_wait_kmcnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitExpcnt, "s_wait_expcnt 0x0", "gfx12.0"),
    assembled(Mnemonic::SWaitSamplecnt, "s_wait_samplecnt 0x0", "gfx12.0"),
    assembled(Mnemonic::SWaitBvhcnt, "s_wait_bvhcnt 0x0", "gfx12.0"),
    assembled(Mnemonic::SWaitLoadcntDscnt, "s_wait_loadcnt_dscnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitStorecntDscnt, "s_wait_storecnt_dscnt 0x0", "gfx12"),
    assembled(Mnemonic::SWaitXcnt, "s_wait_xcnt 0x0", "gfx12.5"),
    assembled(Mnemonic::SWaitAsynccnt, "s_wait_asynccnt 0x0", "gfx12.5"),
    assembled(Mnemonic::SWaitTensorcnt, "s_wait_tensorcnt 0x0", "gfx12.5"),
    assembled(Mnemonic::SWaitIdle, "s_wait_idle", "gfx10-gfx12"),
    assembled(Mnemonic::BufferWbinvl1, "buffer_wbinvl1", "gfx6-gfx8 gfx9.0"),
    assembled(Mnemonic::BufferWbinvl1Vol, "buffer_wbinvl1_vol", "gfx7-gfx8 gfx9.0"),
    assembled(Mnemonic::BufferInvl2, "buffer_invl2", "gfx90a"),
    assembled(Mnemonic::BufferWbl2, "buffer_wbl2", "gfx90a gfx9.4 gfx9.5"),
    assembled(Mnemonic::BufferInv, "buffer_inv sc1", "gfx9.4 gfx9.5"),
    assembled(Mnemonic::BufferGl0Inv, "buffer_gl0_inv", "gfx10-gfx11"),
    assembled(Mnemonic::BufferGl1Inv, "buffer_gl1_inv", "gfx10-gfx11"),
    assembled(Mnemonic::GlobalInv, "global_inv scope:SCOPE_SE", "gfx12"),
    assembled(Mnemonic::GlobalWb, "global_wb scope:SCOPE_SYS", "gfx12"),
];

/// Intrinsics and `fence`, in the order of [`Intrinsic`]. In the probes `@bar` is a named barrier, `@from` global memory and `@tile` LDS.
pub static INTRINSICS: [Fact; 13] = [
    compiled(
        Intrinsic::SBarrier,
        "call void @llvm.amdgcn.s.barrier()",
        "gfx6-gfx12",
        Outcome::Taken,
    ),
    compiled(
        Intrinsic::SBarrierSignal,
        "call void @llvm.amdgcn.s.barrier.signal(i32 -1)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierSignalVar,
        "call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 2)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierSignalIsfirst,
        "%first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierInit,
        "call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 2)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierJoin,
        "call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierLeave,
        "call void @llvm.amdgcn.s.barrier.leave(i16 1)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SBarrierWait,
        "call void @llvm.amdgcn.s.barrier.wait(i16 -1)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SGetBarrierState,
        "%state = call i32 @llvm.amdgcn.s.get.barrier.state(i32 -1)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::SGetNamedBarrierState,
        "%state = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) @bar)",
        "gfx12",
        Outcome::Crashes,
    ),
    compiled(
        Intrinsic::Fence,
        "fence syncscope(\"workgroup\") release",
        "gfx6-gfx12",
        Outcome::Taken,
    ),
    compiled(Intrinsic::Async, "call void @llvm.amdgcn.asyncmark()", "", Outcome::ExternalCall),
    // LLVM parses it as a `raw.buffer.load` with a wrong suffix.
    compiled(
        Intrinsic::AsyncBuffer,
        "call void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr addrspace(8) @from, ptr addrspace(3) @tile, i32 4)",
        "",
        Outcome::Rejected,
    ),
];

/// Other intrinsics of the asynchronous family, which behave like the row of their kind.
pub const ASYNCHRONOUS: [(Intrinsic, &str); 6] = [
    (Intrinsic::Async, "call void @llvm.amdgcn.wait.asyncmark(i16 0)"),
    (
        Intrinsic::Async,
        "call void @llvm.amdgcn.load.async.to.lds(ptr addrspace(1) @from, ptr addrspace(3) @tile, i32 4)",
    ),
    (
        Intrinsic::Async,
        "call void @llvm.amdgcn.global.load.async.lds(ptr addrspace(1) @from, ptr addrspace(3) @tile, i32 4)",
    ),
    (
        Intrinsic::AsyncBuffer,
        "call void @llvm.amdgcn.raw.buffer.load.async.lds(ptr addrspace(1) @from, ptr addrspace(3) @tile, i32 4)",
    ),
    (
        Intrinsic::AsyncBuffer,
        "call void @llvm.amdgcn.struct.buffer.load.async.lds(ptr addrspace(1) @from, ptr addrspace(3) @tile, i32 4)",
    ),
    (
        Intrinsic::AsyncBuffer,
        "call void @llvm.amdgcn.struct.ptr.buffer.load.async.lds(ptr addrspace(1) @from, ptr addrspace(3) @tile, i32 4)",
    ),
];
