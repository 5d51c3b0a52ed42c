//! AMDGPU machine code, spelled as LLVM prints it.
//!
//! To add an instruction: 1. add a row to [`ROWS`]: its spelling, its operands in order, its effect, and its
//! [`Mnemonic`], so that the target table can say who has it; 2. where the mnemonic or the effect is new, add it to
//! `operation.rs` and `target.rs` of the model, or to `effect.rs`; 3. add a scenario that uses it, and a wrong one with
//! its diagnostic, to `tests/diagnostics.txt`.

use super::{Condition, Effect, Place, Row};
use tidegate_model::operation::{Form, Mnemonic};

const fn machine(
    name: &'static str,
    operands: &'static [Place],
    effect: Effect,
    mnemonic: Mnemonic,
) -> Row {
    Row { name, operands, effect, form: Form::Machine(mnemonic) }
}

/// An instruction that is no operation of a barrier: every target has it.
const fn control(name: &'static str, operands: &'static [Place], effect: Effect) -> Row {
    Row { name, operands, effect, form: Form::Word }
}

const COUNTER: &[Place] = &[Place::Number];

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
    machine("s_waitcnt", &[Place::Counters], Effect::WaitCounters, Mnemonic::SWaitcnt),
    machine(
        "s_waitcnt_vscnt",
        &[Place::Register, Place::Number],
        Effect::WaitCounters,
        Mnemonic::SWaitcntVscnt,
    ),
    machine("s_wait_loadcnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitLoadcnt),
    machine("s_wait_storecnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitStorecnt),
    machine("s_wait_dscnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitDscnt),
    machine("s_wait_loadcnt_dscnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitLoadcntDscnt),
    machine("s_wait_storecnt_dscnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitStorecntDscnt),
    machine("s_wait_kmcnt", COUNTER, Effect::WaitCounters, Mnemonic::SWaitKmcnt),
    control("s_mov_b32", &[Place::M0, Place::Number], Effect::SetM0),
    control("s_branch", &[Place::Label], Effect::Jump(Condition::Always)),
    control("s_cbranch_scc0", &[Place::Label], Effect::Jump(Condition::Scc(false))),
    control("s_cbranch_scc1", &[Place::Label], Effect::Jump(Condition::Scc(true))),
    control("s_endpgm", &[], Effect::End),
];

/// The counters that `s_waitcnt` names.
pub(crate) const COUNTERS: [&str; 3] = ["vmcnt", "expcnt", "lgkmcnt"];
