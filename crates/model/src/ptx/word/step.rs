//! Operations on the word: the word that each writes under a layout.

use super::layout::{Fields, Layout, MOST, decode, encode, initial};

/// An operation on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `mbarrier.init` with a count.
    Init(u32),
    /// `mbarrier.arrive` with a count.
    Arrive(u32),
    /// `mbarrier.arrive_drop` with a count.
    ArriveDrop(u32),
    /// `mbarrier.expect_tx` with bytes: no check for completion.
    ExpectTx(i32),
    /// `mbarrier.complete_tx` with bytes.
    CompleteTx(i32),
    /// `mbarrier.arrive.expect_tx` with bytes: both, then one check.
    ArriveExpectTx(i32),
    /// `cp.async.mbarrier.arrive`: increments the pending count; the arrive follows later.
    CopyArrive,
}

/// The result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// The new word.
    pub word: u64,
    /// Whether the phase completed.
    pub completes: bool,
    /// Whether a count left its range and wrapped.
    pub wraps: bool,
}

/// Performs an operation on a word under a layout, with the tx-count in bits 21 to 41. Total: a count that overflows its
/// field wraps and sets `wraps`.
#[must_use]
pub const fn step(layout: Layout, word: u64, operation: Operation) -> Stepped {
    let before = decode(layout, word);
    let (after, checks) = match operation {
        Operation::Init(count) => return init(count),
        Operation::Arrive(count) => (arrive(before, count), true),
        Operation::ArriveDrop(count) => {
            let dropped = before.expected.wrapping_sub(count) & MOST;
            (Fields { expected: dropped, ..arrive(before, count) }, true)
        }
        Operation::ExpectTx(bytes) => (before.with_tx(before.tx_low().wrapping_add(bytes)), false),
        Operation::CompleteTx(bytes) => (before.with_tx(before.tx_low().wrapping_sub(bytes)), true),
        Operation::CopyArrive => {
            (Fields { pending: before.pending.wrapping_add(1) & MOST, ..before }, false)
        }
        Operation::ArriveExpectTx(bytes) => {
            (arrive(before.with_tx(before.tx_low().wrapping_add(bytes)), 1), true)
        }
    };
    let completes = checks && after.pending == 0 && after.tx_low() == 0;
    let last = if completes {
        Fields { parity: !after.parity, pending: after.expected, ..after }
    } else {
        after
    };
    Stepped { word: encode(layout, last), completes, wraps: wraps(before, operation) }
}

const fn init(count: u32) -> Stepped {
    match initial(count) {
        Some(word) => Stepped { word, completes: false, wraps: false },
        None => {
            let fields =
                Fields { parity: false, pending: count, expected: count, tx_bits: 0, bit_0: false };
            Stepped { word: encode(Layout::LowPending, fields), completes: false, wraps: true }
        }
    }
}

const fn arrive(fields: Fields, count: u32) -> Fields {
    Fields { pending: fields.pending.wrapping_sub(count) & MOST, ..fields }
}

const fn wraps(before: Fields, operation: Operation) -> bool {
    let tx = before.tx_low() as i64;
    let moved = match operation {
        Operation::ExpectTx(bytes) | Operation::ArriveExpectTx(bytes) => tx + bytes as i64,
        Operation::CompleteTx(bytes) => tx - bytes as i64,
        _ => tx,
    };
    let arrivals = match operation {
        Operation::Arrive(count) | Operation::ArriveDrop(count) => count,
        Operation::ArriveExpectTx(_) => 1,
        _ => 0,
    };
    let drops = match operation {
        Operation::ArriveDrop(count) => count,
        _ => 0,
    };
    let copies = matches!(operation, Operation::CopyArrive) && before.pending >= MOST;
    copies
        || arrivals > before.pending
        || drops > before.expected
        || moved > MOST as i64
        || moved < -(MOST as i64)
}

/// Whether a wait on a parity returns: the current phase has the other parity.
#[must_use]
pub const fn passes(word: u64, parity: bool) -> bool {
    (word >> 63 != 0) != parity
}
