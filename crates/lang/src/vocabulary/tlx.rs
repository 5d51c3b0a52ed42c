//! TLX: the operations on barriers, and the TMA copy, written as the Python calls.
//!
//! To add an operation: 1. add a row to `ROWS`: its name after `tlx.`, its operands in order with the names of its
//! parameters, its kind; 2. if no [`Kind`] describes it, add one and its meaning in `evaluate/nvidia.rs`; 3. add a
//! scenario that uses it, and an invalid one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::Effect;
use super::nvidia::{Kind, Part};
use super::ptx::Instruction;
use super::row::Row;
use tidegate_model::operation::Form;
use tidegate_model::ptx::action::{Bar, Patience, Queue, Spelling};

/// A row: the instruction, and the names of its parameters.
#[derive(Debug)]
pub(crate) struct Tlx {
    pub(crate) instruction: Instruction,
    pub(crate) parameters: &'static [&'static str],
}

const fn row(
    name: &'static str,
    parts: &'static [Part],
    parameters: &'static [&'static str],
    kind: Kind,
    spelling: Spelling,
) -> Tlx {
    let row = Row { name, operands: &[], effect: Effect::Nvidia(kind), form: Form::Word };
    Tlx { instruction: Instruction { row, parts, spelling }, parameters }
}

use Part::{Bytes, Coordinates, Maybe, Objects, Pair, Predicate, Skipped, Tile, Value};

/// The operations.
pub(crate) static ROWS: &[Tlx] = &[
    row(
        "tlx.barrier_expect_bytes",
        &[Value, Value, Predicate],
        &["bar", "bytes", "pred"],
        Kind::ArriveExpect,
        Spelling::TlxCopy,
    ),
    row(
        "tlx.barrier_wait",
        &[Value, Value, Predicate],
        &["bar", "phase", "pred"],
        Kind::Wait(Patience::Block),
        Spelling::Tlx,
    ),
    row(
        "tlx.barrier_arrive",
        &[Value, Maybe],
        &["bar", "arrive_count"],
        Kind::Arrive,
        Spelling::Tlx,
    ),
    row(
        "tlx.named_barrier_wait",
        &[Value, Value],
        &["bar_id", "num_threads"],
        Kind::Bar(Bar::Sync),
        Spelling::TlxNamed,
    ),
    row(
        "tlx.named_barrier_arrive",
        &[Value, Value],
        &["bar_id", "num_threads"],
        Kind::Bar(Bar::Arrive),
        Spelling::TlxNamed,
    ),
    row(
        "tlx.async_descriptor_load",
        &[Bytes, Bytes, Value],
        &["dst", "src", "bar"],
        Kind::Copy,
        Spelling::TlxCopy,
    ),
    COMMIT,
    row(
        "tlx.async_descriptor_store",
        &[Bytes, Bytes, Coordinates, Skipped],
        &["desc", "source", "offsets", "eviction_policy"],
        Kind::Copy,
        Spelling::TlxCopy,
    ),
    row(
        "tlx.async_descriptor_store_wait",
        &[Value],
        &["pendings"],
        Kind::WaitGroup { queue: Queue::Bulk },
        Spelling::TlxCopy,
    ),
    row(
        "tlx.async_dot",
        &[
            Tile, Tile, Skipped, Skipped, Predicate, Objects, Pair, Skipped, Skipped, Skipped,
            Skipped,
        ],
        &[
            "A",
            "B",
            "acc",
            "use_acc",
            "pred",
            "mBarriers",
            "two_ctas",
            "force_async",
            "input_precision",
            "out_dtype",
            "arg",
        ],
        Kind::Tensor,
        Spelling::TlxCopy,
    ),
    row(
        "tlx.async_dot_wait",
        &[Value, Skipped],
        &["pendings", "inp"],
        Kind::WaitGroup { queue: Queue::Tensor },
        Spelling::TlxCopy,
    ),
];

/// The TMA copy in upstream's order: the coordinates select the tile of the tensor that the descriptor describes.
const LOAD: Tlx = row(
    "tlx.async_descriptor_load",
    &[Bytes, Bytes, Coordinates, Value, Predicate, Skipped, Skipped, Skipped],
    &[
        "desc",
        "result",
        "offsets",
        "barrier",
        "pred",
        "cache_modifier",
        "eviction_policy",
        "multicast_targets",
    ],
    Kind::Copy,
    Spelling::TlxCopy,
);

/// The same as the row of the table.
pub(crate) static UPSTREAM: Tlx = LOAD;

/// An arrive once the tensor core operations are complete.
pub(crate) const COMMIT: Tlx = row(
    "tlx.tcgen05_commit",
    &[Value, Skipped],
    &["mBarrier", "two_ctas"],
    Kind::CommitArrive,
    Spelling::PtxBetween(100, 120),
);

/// The group that each store forms.
pub(crate) static STORED: Tlx = row(
    "tlx.async_descriptor_store",
    &[],
    &[],
    Kind::Commit { queue: Queue::Bulk },
    Spelling::TlxCopy,
);

/// The same if an operation names the objects.
pub(crate) static COMMITS: Tlx = COMMIT;

/// Other names of parameters.
pub(crate) const SYNONYMS: [(&str, &str); 1] = [("size", "bytes")];

/// Names of the allocation of barriers.
pub(crate) const ALLOCATIONS: [&str; 2] = ["tlx.alloc_barriers", "tlx.alloc_barrier"];

/// The operations of the tables of tlx-barriers, with their MLIR operation and PTX instruction. The document gives
/// `mbarrier.expect_tx` for the expected bytes, but one thread also arrives.
pub(crate) const TWINS: [(&str, &str, &str); 6] = [
    (ALLOCATIONS[0], "ttng::InitBarrierOp", "mbarrier.init"),
    ("tlx.barrier_expect_bytes", "ttng::BarrierExpectOp", "mbarrier.arrive.expect_tx"),
    ("tlx.barrier_wait", "ttng::WaitBarrierOp", "mbarrier.try_wait"),
    ("tlx.barrier_arrive", "ttng::ArriveBarrierOp", "mbarrier.arrive"),
    ("tlx.named_barrier_wait", "ttng::wait_barrier_named", "bar.sync"),
    ("tlx.named_barrier_arrive", "ttng::arrive_barrier_named", "bar.arrive"),
];

/// The name after `tlx.` of the allocation of shared or tensor memory.
pub(crate) const LOCAL: &str = "local_alloc";

/// Bytes of an element of a Triton type.
#[must_use]
pub fn bytes_of(of: &str) -> Option<i64> {
    let digits = of.trim_start_matches(|c: char| !c.is_ascii_digit());
    let bits = digits.get(..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()))?;
    bits.parse::<i64>().ok().filter(|bits| bits % 8 == 0).map(|bits| bits / 8)
}

/// Whether an operation with this head is TLX.
pub(crate) fn recognises(head: &str) -> bool {
    head.starts_with("tlx.")
}

/// Finds the operation of a name.
pub(crate) fn find(head: &str) -> Option<&'static Tlx> {
    ROWS.iter().find(|tlx| tlx.instruction.row.name == head)
}
