//! A hash that needs no standard library.

use core::hash::Hasher;

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
