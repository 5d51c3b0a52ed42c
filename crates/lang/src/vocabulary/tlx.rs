//! TLX: the operations on barriers, and the TMA copy, written as the Python calls.
//!
//! To add an operation: 1. add a row to [`ROWS`]: its name behind `tlx.`, its operands in order with the names that they
//! can be given by, its kind; 2. where no [`Kind`] says what it does, add one and its meaning in `evaluate/nvidia.rs`;
//! 3. add a scenario that uses it, and a wrong one with its diagnostic, to `tests/diagnostics.txt`.

use super::nvidia::{Kind, Part};
use super::ptx::Instruction;
use super::{Effect, Row};
use tidegate_model::operation::Form;
use tidegate_model::ptx::action::{Bar, Patience, Spelling};

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

use Part::{Bytes, Maybe, Rest, Value};

/// The operations.
pub(crate) static ROWS: &[Tlx] = &[
    row(
        "tlx.barrier_expect_bytes",
        &[Value, Value],
        &["bar", "bytes"],
        Kind::ArriveExpect,
        Spelling::TlxCopy,
    ),
    row(
        "tlx.barrier_wait",
        &[Value, Value],
        &["bar", "phase"],
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
    row(
        "tlx.tcgen05_commit",
        &[Value],
        &["bar"],
        Kind::CommitArrive,
        Spelling::PtxBetween(100, 120),
    ),
    row("tlx.async_dot", &[Rest], &[], Kind::Nothing, Spelling::TlxCopy),
    row("tlx.async_dot_wait", &[Rest], &[], Kind::Nothing, Spelling::TlxCopy),
];

/// Names of the allocation of barriers.
pub(crate) const ALLOCATIONS: [&str; 2] = ["tlx.alloc_barriers", "tlx.alloc_barrier"];

/// Whether an operation with this head is one of TLX.
pub(crate) fn recognises(head: &str) -> bool {
    head.starts_with("tlx.")
}

/// The operation of that name.
pub(crate) fn find(head: &str) -> Option<&'static Tlx> {
    ROWS.iter().find(|tlx| tlx.instruction.row.name == head)
}
