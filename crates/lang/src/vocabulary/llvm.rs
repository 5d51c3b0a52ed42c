//! LLVM: the barrier intrinsics of AMDGPU as calls, and `fence`.
//!
//! To add an intrinsic: 1. add a row to [`ROWS`]: its name after `@llvm.amdgcn.`, its operands in order (types are
//! skipped by the parser), its effect; 2. if no [`Effect`] describes it, add one and its meaning in `effect.rs`; 3. add
//! a scenario that uses it, and an invalid one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::Effect;
use super::row::{Place, Row};
use tidegate_model::mem::operation::Scope;
use tidegate_model::operation::{Form, Intrinsic};

const fn intrinsic(
    name: &'static str,
    operands: &'static [Place],
    effect: Effect,
    intrinsic: Intrinsic,
) -> Row {
    Row { name, operands, effect, form: Form::Intrinsic(intrinsic) }
}

/// A source, then a destination; the size in bytes and further operands of the intrinsic may follow.
const COPY: &[Place] = &[Place::Bytes, Place::Bytes];

/// The prefix of all intrinsics.
pub(crate) const PREFIX: &str = "llvm.amdgcn.";

/// The intrinsics, by the name after [`PREFIX`].
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
    intrinsic("load.async.to.lds", COPY, Effect::CopyFrom, Intrinsic::Async),
    intrinsic("global.load.async.lds", COPY, Effect::CopyFrom, Intrinsic::Async),
    intrinsic("raw.buffer.load.async.lds", COPY, Effect::CopyFrom, Intrinsic::AsyncBuffer),
    intrinsic("raw.ptr.buffer.load.async.lds", COPY, Effect::CopyFrom, Intrinsic::AsyncBuffer),
    intrinsic("struct.buffer.load.async.lds", COPY, Effect::CopyFrom, Intrinsic::AsyncBuffer),
    intrinsic("struct.ptr.buffer.load.async.lds", COPY, Effect::CopyFrom, Intrinsic::AsyncBuffer),
    intrinsic("asyncmark", &[], Effect::Mark, Intrinsic::Async),
    intrinsic("wait.asyncmark", &[Place::Marks], Effect::WaitMarks, Intrinsic::Async),
];

/// The intrinsic that accepts pointers of several address spaces, with an optional suffix such as `.p1`.
const ANY_POINTER: &str = "load.async.to.lds";

/// Finds an intrinsic by the name after [`PREFIX`].
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    let is_space = |suffix: &str| {
        suffix.strip_prefix(".p").is_some_and(|space| {
            (1..=3).contains(&space.len()) && space.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let overloaded = name.strip_prefix(ANY_POINTER).is_some_and(is_space);
    let name = if overloaded { ANY_POINTER } else { name };
    ROWS.iter().find(|row| row.name == name)
}

/// `fence`.
pub(crate) static FENCE: Row = intrinsic("fence", &[], Effect::Fence, Intrinsic::Fence);

/// Orderings of `fence`.
pub(crate) const ORDERS: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];

/// Scopes of `fence`, each also with `-one-as`; empty for the whole system. Agents here are waves, so the scope of a
/// single thread is its wave.
pub(crate) const SCOPES: [(&str, Scope); 6] = [
    ("", Scope::System),
    ("agent", Scope::Agent),
    ("cluster", Scope::Cluster),
    ("workgroup", Scope::Workgroup),
    ("wavefront", Scope::Wavefront),
    ("singlethread", Scope::Wavefront),
];

/// The meaning of a synchronization scope: the scope, and whether it applies to each address space separately.
pub(crate) fn scope(name: &str) -> Option<(Scope, bool)> {
    let short = if name == "one-as" { Some("") } else { name.strip_suffix("-one-as") };
    let find = |name: &str| SCOPES.iter().find(|(known, _)| *known == name);
    find(short.unwrap_or(name)).map(|&(_, scope)| (scope, short.is_some()))
}

/// Words before an operand that give its type or an attribute.
pub(crate) const TYPES: [&str; 10] =
    ["i1", "i8", "i16", "i32", "i64", "ptr", "noundef", "nonnull", "immarg", "token"];
