//! Types of instructions.

use super::parse::bits;

/// The type of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// 1 to 128.
    pub(super) bits: u8,
    pub(super) signed: bool,
    /// Floating point, or several numbers in one register.
    pub(super) opaque: bool,
}

impl Type {
    pub(super) fn of(part: &str) -> Option<Self> {
        let width = match part {
            "u16x2" | "s16x2" => 32,
            _ => bits(part)?,
        };
        let whole = matches!(part.as_bytes().first(), Some(b'b' | b'u' | b's' | b'p'));
        let opaque = !whole || part.starts_with("bf") || part.ends_with("x2");
        Some(Self { bits: width as u8, signed: part.starts_with('s'), opaque })
    }

    /// The last type of a head.
    pub(super) fn last(head: &str) -> Self {
        let unknown = Self { bits: 32, signed: false, opaque: true };
        head.rsplit('.').find_map(Self::of).unwrap_or(unknown)
    }

    pub(super) fn bytes(self) -> u32 {
        u32::from(self.bits.max(8)) / 8
    }
}
