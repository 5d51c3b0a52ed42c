//! Operations on the word: what each would write under a layout.

use super::{Fields, Layout, MOST, decode, encode, initial};

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
    /// `cp.async.mbarrier.arrive`: one arrival more is pending; the arrive itself comes later.
    CopyArrive,
}

/// What an operation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// The new word.
    pub word: u64,
    /// Whether the phase completed.
    pub completes: bool,
    /// Whether a count left its range and wrapped.
    pub wraps: bool,
}

/// Performs an operation on a word under a layout. The tx-count is taken to stand in bits 21 to 41. Total: counts that
/// leave their fields wrap, and say so.
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

/// Whether a wait on a parity passes on a word: the phase of that parity is not the running one.
#[must_use]
pub const fn passes(word: u64, parity: bool) -> bool {
    (word >> 63 != 0) != parity
}
