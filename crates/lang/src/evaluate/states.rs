//! The distinct states seen so far, in order of discovery.

use alloc::vec::Vec;
use core::hash::Hasher;
use tidegate_model::hash::Fnv;
use tidegate_model::program::NodeId;

/// Byte strings by index: one long buffer, and an open hash table of indices.
pub(crate) struct States {
    bytes: Vec<u8>,
    /// The start of each string, followed by the end of the last.
    starts: Vec<usize>,
    /// Indices plus one; 0 is free. Its length is a power of two and at most half of it is used.
    table: Vec<NodeId>,
}

impl States {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), starts: alloc::vec![0], table: alloc::vec![0; 64] }
    }

    /// Number of states.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The state of that index.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        &self.bytes[self.starts[index]..self.starts[index + 1]]
    }

    /// Returns the index of a state, and whether it is new.
    pub(crate) fn index(&mut self, state: &[u8]) -> (NodeId, bool) {
        let place = self.place(state);
        if let Some(known) = self.table[place].checked_sub(1) {
            return (known, false);
        }
        self.bytes.extend_from_slice(state);
        self.starts.push(self.bytes.len());
        let count = self.count() as NodeId;
        self.table[place] = count;
        if self.count() * 2 > self.table.len() {
            self.grow();
        }
        (count - 1, true)
    }

    /// The position of a state in the table, present or not.
    fn place(&self, state: &[u8]) -> usize {
        let mut hasher = Fnv::new();
        hasher.write(state);
        let mask = self.table.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        while let Some(known) = self.table[place].checked_sub(1) {
            if self.get(known as usize) == state {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        self.table.clear();
        self.table.resize(length, 0);
        for index in 0..self.count() {
            let place = self.place(&self.bytes[self.starts[index]..self.starts[index + 1]]);
            self.table[place] = index as NodeId + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::States;

    #[test]
    fn each_state_is_stored_once() {
        let mut states = States::new();
        for round in 0..2 {
            for number in 0..1000_u32 {
                assert_eq!(states.index(&number.to_le_bytes()), (number, round == 0));
            }
        }
        assert_eq!(states.index(b""), (1000, true));
        assert_eq!(states.index(b""), (1000, false));
        assert_eq!(
            (states.count(), states.get(7), states.get(1000)),
            (1001, &[7, 0, 0, 0][..], &[][..])
        );
    }
}
