//! Reads packed states.

use crate::leb128::take_wide;
use crate::spec::choice::Bits;
use alloc::vec::Vec;

/// Reads numbers that [`put_wide`](crate::leb128::put_wide) wrote; missing bytes read as zero.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn bits(&mut self) -> Bits {
        take_wide(&mut self.0)
    }

    pub(super) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    pub(super) fn number(&mut self) -> usize {
        self.bits() as usize
    }

    pub(super) fn list<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let length = self.number();
        (0..length).map(|_| read(self)).collect()
    }
}
