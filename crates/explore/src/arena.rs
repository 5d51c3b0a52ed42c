//! Byte strings, each stored once in one buffer; a hash table of their indices finds them.

use alloc::vec::Vec;
use hashbrown::HashTable;

/// The result of an insertion.
pub(crate) enum Insert {
    /// The string is new and has this index.
    New(u32),
    /// The string was already present, with this index.
    Known(u32),
}

/// The store.
#[derive(Default)]
pub(crate) struct Arena {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Arena {
    /// The number of strings.
    pub(crate) fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The number of bytes in use, including the table.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes.len()
            + self.ends.len() * size_of::<usize>()
            + self.table.capacity() * size_of::<u32>()) as u64
    }

    /// The string with an index.
    pub(crate) fn get(&self, index: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, index)
    }

    /// Inserts the string that `write` appends.
    pub(crate) fn insert(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Insert {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let Self { bytes, ends, table } = self;
        let new = &bytes[start..];
        let key = hash(new);
        if let Some(&known) = table.find(key, |&index| slice(bytes, ends, index) == new) {
            bytes.truncate(start);
            return Insert::Known(known);
        }
        let index = ends.len() as u32;
        ends.push(bytes.len());
        table.insert_unique(key, index, |&index| hash(slice(bytes, ends, index)));
        Insert::New(index)
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[usize], index: u32) -> &'a [u8] {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &bytes[start..ends[index]]
}

/// A fixed hash: multiply and fold, eight bytes at a time. The same input gives the same order on every platform.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |sum: u64, word: u64| {
        let product = u128::from(sum ^ word).wrapping_mul(u128::from(FACTOR));
        (product as u64) ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words
        .iter()
        .fold(bytes.len() as u64 ^ FACTOR, |sum, word| fold(sum, u64::from_le_bytes(*word)));
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    fold(fold(sum, last), FACTOR)
}
