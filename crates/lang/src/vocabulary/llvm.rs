//! LLVM: the barrier intrinsics of AMDGPU as calls, and `fence`.
//!
//! To add an intrinsic: 1. add a row to [`ROWS`]: its name behind `@llvm.amdgcn.`, its operands in order (types are
//! skipped by the parser), its effect; 2. where no [`Effect`] says what it does, add one and its meaning in `effect.rs`;
//! 3. add a scenario that uses it, and a wrong one with its diagnostic, to `tests/diagnostics.txt`.

use super::{Effect, Place, Row};
use tidegate_model::operation::{Form, Intrinsic};

const fn intrinsic(
    name: &'static str,
    operands: &'static [Place],
    effect: Effect,
    intrinsic: Intrinsic,
) -> Row {
    Row { name, operands, effect, form: Form::Intrinsic(intrinsic) }
}

/// What every intrinsic's name begins with.
pub(crate) const PREFIX: &str = "llvm.amdgcn.";

/// The intrinsics, by the name behind [`PREFIX`].
pub(crate) static ROWS: &[Row] = &[
    intrinsic("s.barrier", &[], Effect::ArriveAndWait, Intrinsic::SBarrier),
    intrinsic("s.barrier.signal", &[Place::Id], Effect::Arrive, Intrinsic::SBarrierSignal),
    intrinsic(
        "s.barrier.signal.var",
        &[Place::Id, Place::Number],
        Effect::ArriveIfNotZero,
        Intrinsic::SBarrierSignalVar,
    ),
    intrinsic(
        "s.barrier.signal.isfirst",
        &[Place::Id],
        Effect::ArriveIsFirst,
        Intrinsic::SBarrierSignalIsfirst,
    ),
    intrinsic("s.barrier.init", &[Place::Id, Place::Number], Effect::Init, Intrinsic::SBarrierInit),
    intrinsic("s.barrier.join", &[Place::Id], Effect::Join, Intrinsic::SBarrierJoin),
    intrinsic("s.barrier.leave", &[Place::Number], Effect::Leave, Intrinsic::SBarrierLeave),
    intrinsic("s.barrier.wait", &[Place::Id16], Effect::Wait, Intrinsic::SBarrierWait),
    intrinsic("s.get.barrier.state", &[Place::Id], Effect::ReadState, Intrinsic::SGetBarrierState),
    intrinsic(
        "s.get.named.barrier.state",
        &[Place::Id],
        Effect::ReadState,
        Intrinsic::SGetNamedBarrierState,
    ),
    intrinsic("asyncmark", &[], Effect::NotYet, Intrinsic::Async),
    intrinsic("wait.asyncmark", &[Place::Number], Effect::NotYet, Intrinsic::Async),
];

/// `fence`.
pub(crate) static FENCE: Row = intrinsic("fence", &[], Effect::Fence, Intrinsic::Fence);

/// Orderings of `fence`.
pub(crate) const ORDERS: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];

/// Scopes of `fence`, each also with `-one-as`; empty for the whole system.
pub(crate) const SCOPES: [&str; 6] =
    ["", "agent", "cluster", "workgroup", "wavefront", "singlethread"];

/// Words that stand before an operand and say its type or an attribute of it.
pub(crate) const TYPES: [&str; 10] =
    ["i1", "i8", "i16", "i32", "i64", "ptr", "noundef", "nonnull", "immarg", "token"];

/// Whether intrinsics of this name copy memory asynchronously.
pub(crate) fn is_async_copy(name: &str) -> bool {
    name.contains("load.async") || name.contains("async.to.lds") || name.contains("async.lds")
}
