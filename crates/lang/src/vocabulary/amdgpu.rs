//! AMDGPU machine code, spelled as LLVM prints it.
//!
//! To add an instruction: 1. add a row to [`ROWS`]: its spelling, its operands in order, its effect, and its
//! [`Mnemonic`], by which the target table says which targets support it; 2. if the mnemonic or the effect is new, add
//! it to `operation.rs` and `target.rs` of the model, or to `effect.rs`; 3. add a scenario that uses it, and an invalid
//! one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::{Condition, Effect};
use super::row::{Place, Row};
use tidegate_model::mem::operation::Counter;
use tidegate_model::operation::{Form, Mnemonic};

const fn machine(
    name: &'static str,
    operands: &'static [Place],
    effect: Effect,
    mnemonic: Mnemonic,
) -> Row {
    Row { name, operands, effect, form: Form::Machine(mnemonic) }
}

/// An instruction that is not a barrier operation: every target supports it.
const fn control(name: &'static str, operands: &'static [Place], effect: Effect) -> Row {
    Row { name, operands, effect, form: Form::Word }
}

const COUNTER: &[Place] = &[Place::Number];
const NULL_COUNTER: &[Place] = &[Place::Register, Place::Number];

/// The instructions.
pub(crate) static ROWS: &[Row] = &[
    machine("s_barrier", &[], Effect::ArriveAndWait, Mnemonic::SBarrier),
    machine("s_barrier_signal", &[Place::IdOrM0], Effect::Arrive, Mnemonic::SBarrierSignal),
    machine(
        "s_barrier_signal_isfirst",
        &[Place::IdOrM0],
        Effect::ArriveIsFirst,
        Mnemonic::SBarrierSignalIsfirst,
    ),
    machine("s_barrier_wait", &[Place::Id16], Effect::Wait, Mnemonic::SBarrierWait),
    machine(
        "s_barrier_init",
        &[Place::IdOrM0, Place::ImplicitM0],
        Effect::Init,
        Mnemonic::SBarrierInit,
    ),
    machine("s_barrier_join", &[Place::IdOrM0], Effect::Join, Mnemonic::SBarrierJoin),
    machine("s_barrier_leave", &[], Effect::Leave, Mnemonic::SBarrierLeave),
    machine(
        "s_get_barrier_state",
        &[Place::Register, Place::IdOrM0],
        Effect::ReadState,
        Mnemonic::SGetBarrierState,
    ),
    machine("s_waitcnt", &[Place::Counters], Effect::WaitCounters(&[]), Mnemonic::SWaitcnt),
    machine(
        "s_waitcnt_vmcnt",
        NULL_COUNTER,
        Effect::WaitCounters(&[Counter::Vm]),
        Mnemonic::SWaitcntVmcnt,
    ),
    machine(
        "s_waitcnt_expcnt",
        NULL_COUNTER,
        Effect::WaitCounters(&[Counter::Exp]),
        Mnemonic::SWaitcntExpcnt,
    ),
    machine(
        "s_waitcnt_lgkmcnt",
        NULL_COUNTER,
        Effect::WaitCounters(&[Counter::Lgkm]),
        Mnemonic::SWaitcntLgkmcnt,
    ),
    machine(
        "s_waitcnt_vscnt",
        NULL_COUNTER,
        Effect::WaitCounters(&[Counter::Vs]),
        Mnemonic::SWaitcntVscnt,
    ),
    machine(
        "s_wait_loadcnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Load]),
        Mnemonic::SWaitLoadcnt,
    ),
    machine(
        "s_wait_storecnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Store]),
        Mnemonic::SWaitStorecnt,
    ),
    machine("s_wait_dscnt", COUNTER, Effect::WaitCounters(&[Counter::Ds]), Mnemonic::SWaitDscnt),
    machine(
        "s_wait_loadcnt_dscnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Load, Counter::Ds]),
        Mnemonic::SWaitLoadcntDscnt,
    ),
    machine(
        "s_wait_storecnt_dscnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Store, Counter::Ds]),
        Mnemonic::SWaitStorecntDscnt,
    ),
    machine("s_wait_kmcnt", COUNTER, Effect::WaitCounters(&[Counter::Km]), Mnemonic::SWaitKmcnt),
    machine("s_wait_expcnt", COUNTER, Effect::WaitCounters(&[Counter::Exp]), Mnemonic::SWaitExpcnt),
    machine(
        "s_wait_samplecnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Sample]),
        Mnemonic::SWaitSamplecnt,
    ),
    machine("s_wait_bvhcnt", COUNTER, Effect::WaitCounters(&[Counter::Bvh]), Mnemonic::SWaitBvhcnt),
    machine("s_wait_xcnt", COUNTER, Effect::WaitCounters(&[Counter::X]), Mnemonic::SWaitXcnt),
    machine(
        "s_wait_asynccnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Async]),
        Mnemonic::SWaitAsynccnt,
    ),
    machine(
        "s_wait_tensorcnt",
        COUNTER,
        Effect::WaitCounters(&[Counter::Tensor]),
        Mnemonic::SWaitTensorcnt,
    ),
    machine("s_wait_idle", &[], Effect::WaitCounters(&Counter::ALL), Mnemonic::SWaitIdle),
    machine("buffer_wbinvl1", &[], Effect::Caches, Mnemonic::BufferWbinvl1),
    machine("buffer_wbinvl1_vol", &[], Effect::Caches, Mnemonic::BufferWbinvl1Vol),
    machine("buffer_invl2", &[], Effect::Caches, Mnemonic::BufferInvl2),
    machine("buffer_wbl2", &[Place::Policy], Effect::Caches, Mnemonic::BufferWbl2),
    machine("buffer_inv", &[Place::Policy], Effect::Caches, Mnemonic::BufferInv),
    machine("buffer_gl0_inv", &[], Effect::Caches, Mnemonic::BufferGl0Inv),
    machine("buffer_gl1_inv", &[], Effect::Caches, Mnemonic::BufferGl1Inv),
    machine("global_inv", &[Place::Policy], Effect::Caches, Mnemonic::GlobalInv),
    machine("global_wb", &[Place::Policy], Effect::Caches, Mnemonic::GlobalWb),
    control("s_mov_b32", &[Place::M0, Place::Number], Effect::SetM0),
    control("s_cmp_eq_u32", COMPARED, Effect::Compare),
    control("s_cmp_lg_u32", COMPARED, Effect::Compare),
    control("s_branch", &[Place::Label], Effect::Jump(Condition::Always)),
    control("s_cbranch_scc0", &[Place::Label], Effect::Jump(Condition::Scc(false))),
    control("s_cbranch_scc1", &[Place::Label], Effect::Jump(Condition::Scc(true))),
    control("s_endpgm", &[], Effect::End),
];

/// An unknown register or a number, and a number.
const COMPARED: &[Place] = &[Place::Compared, Place::Number];

/// The scope operands of a cache instruction; a scope follows `scope:`.
pub(crate) const POLICIES: [&str; 6] =
    ["sc0", "sc1", "SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"];

/// The counters that `s_waitcnt` names.
pub(crate) const COUNTERS: [(&str, Counter); 3] =
    [("vmcnt", Counter::Vm), ("expcnt", Counter::Exp), ("lgkmcnt", Counter::Lgkm)];
