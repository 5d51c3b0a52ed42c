//! The known contents of shared memory: see `evaluate/epochs.rs`.

use tidegate_model::ordered::OrderedMap;

/// A byte: its object, the workgroup of the instance, and the offset.
pub(super) type At = (u32, u32, u32);

/// The known contents of some bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// For each byte, the value that it has after each epoch in which it may be written; `None` if that is not known.
    pub(super) bytes: OrderedMap<At, OrderedMap<u8, Option<u8>>>,
    /// The epoch from which on nothing is written.
    pub(super) last: u8,
}

impl Known {
    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The epoch after this number of halves of barriers of the whole workgroup.
    pub(crate) fn next(&self, epoch: u8, halves: u8) -> u8 {
        self.last.min(epoch + halves)
    }

    /// The value of a byte in an epoch; `None` if it is not known.
    pub(super) fn byte(&self, at: At, epoch: u8) -> Option<u8> {
        let holds = self.bytes.get(&at)?;
        let (written, value) = holds.range(..=epoch).next_back()?;
        (*written < epoch).then_some(*value)?
    }
}
