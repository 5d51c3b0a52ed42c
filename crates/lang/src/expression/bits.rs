//! Results of PTX bit instructions beyond the operators of [`super::machine`].
//!
//! PTX ISA 9.1, "Integer Arithmetic Instructions", "Extended-Precision Integer Arithmetic Instructions", "Logic and
//! Shift Instructions", "Data Movement and Conversion Instructions: prmt".

use super::linear::{self, Reach};
use super::machine::{cut, whole};
use super::memory::{plain, tile_at};
use super::{Fault, Value};
use core::cmp::Ordering;

/// The function of an instruction. Operands are in the order of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Absolute,
    LeadingZeros,
    Ones,
    Reversed,
    /// The position of the highest bit that differs from the sign; `true`: its distance from the top.
    Highest(bool),
    /// The nearest number in the range of the type.
    Saturated,
    /// The product of two 24-bit numbers; `true`: without its lowest 16 bits.
    Product24(bool),
    /// A mask of ones from a position on; `true`: numbers above 31 are clamped.
    Mask(bool),
    /// The lowest bits, sign- or zero-extended; `true`: numbers above 31 are clamped.
    Extended(bool),
    /// Whether the sum of the operands overflows.
    Carry,
    /// Whether the first operand is less than the sum of the others.
    Borrow,
    /// The third operand plus the absolute difference of the first two.
    Distance,
    Extracted,
    Inserted,
    /// The position of the n-th set bit from a position on.
    Nth,
    /// Bytes of the first two operands, selected by the third, in the mode with that number.
    Permuted(u8),
    /// A shift of two words to the left or to the right (`true`); amounts are clamped (`true`) or wrap.
    Funnel(bool, bool),
    /// A bitwise function of three operands; the fourth is its truth table.
    Table,
}

/// An operation in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) what: What,
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

/// Instructions by name with modifiers, without the type.
const INSTRUCTIONS: [(&str, What); 21] = [
    ("abs", What::Absolute),
    ("bfe", What::Extracted),
    ("bfi", What::Inserted),
    ("bfind", What::Highest(false)),
    ("bfind.shiftamt", What::Highest(true)),
    ("bmsk.clamp", What::Mask(true)),
    ("bmsk.wrap", What::Mask(false)),
    ("brev", What::Reversed),
    ("clz", What::LeadingZeros),
    ("fns", What::Nth),
    ("lop3", What::Table),
    ("mul24.hi", What::Product24(true)),
    ("mul24.lo", What::Product24(false)),
    ("popc", What::Ones),
    ("sad", What::Distance),
    ("shf.l.clamp", What::Funnel(false, true)),
    ("shf.l.wrap", What::Funnel(false, false)),
    ("shf.r.clamp", What::Funnel(true, true)),
    ("shf.r.wrap", What::Funnel(true, false)),
    ("szext.clamp", What::Extended(true)),
    ("szext.wrap", What::Extended(false)),
];

/// The modes of `prmt`, which follow its type.
const MODES: [&str; 6] = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];

/// Returns the operation of an instruction with that head, if it is one of these.
pub(crate) fn of(head: &str) -> Option<Bits> {
    let (stem, last) = head.rsplit_once('.')?;
    if stem == "prmt.b32" || head == "prmt.b32" {
        let mode = match head {
            "prmt.b32" => 0,
            _ => MODES.iter().position(|mode| *mode == last)? + 1,
        };
        return Some(Bits { what: What::Permuted(mode as u8), bits: 32, signed: false });
    }
    let (bits, signed) = whole(last).filter(|&(bits, _)| bits > 8)?;
    let &(_, what) = INSTRUCTIONS.iter().find(|(name, _)| *name == stem)?;
    Some(Bits { what, bits, signed })
}

/// The selectors of `prmt` in the modes `f4e`, `b4e`, `rc8`, `ecl`, `ecr` and `rc16`.
const SELECTORS: [[u16; 4]; 6] = [
    [0x3210, 0x4321, 0x5432, 0x6543],
    [0x5670, 0x6701, 0x7012, 0x0123],
    [0x0000, 0x1111, 0x2222, 0x3333],
    [0x3210, 0x3211, 0x3222, 0x3333],
    [0x0000, 0x1110, 0x2210, 0x3210],
    [0x1010, 0x3232, 0x1010, 0x3232],
];

/// A word whose lowest `count` bits are ones.
fn ones(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

impl Bits {
    /// Number of operands.
    pub(crate) fn count(self) -> usize {
        match self.what {
            What::Absolute
            | What::LeadingZeros
            | What::Ones
            | What::Reversed
            | What::Highest(_)
            | What::Saturated => 1,
            What::Product24(_) | What::Mask(_) | What::Extended(_) => 2,
            What::Inserted | What::Table => 4,
            _ => 3,
        }
    }

    /// The result for values; values that are not numbers, such as addresses, have none.
    pub(super) fn apply(self, values: &[Value], reach: &Reach) -> Result<Value, Fault> {
        let mut numbers = [0; 4];
        for (number, &value) in numbers.iter_mut().zip(values) {
            *number = match linear::settled(value, reach) {
                Value::Int(found) if tile_at(found).is_none() => found,
                Value::Counted(counted) => counted.number()?,
                _ => return Err(Fault::Unset),
            };
        }
        plain(self.of(numbers).ok_or(Fault::Unset)?).map(Value::Int)
    }

    /// The result for numbers; `None` if PTX leaves it undefined.
    fn of(self, numbers: [i64; 4]) -> Option<i64> {
        let Self { what, bits, signed } = self;
        let wide = |at: usize| cut(numbers[at].into(), bits, signed);
        let word = |at: usize| cut(numbers[at].into(), bits, false) as u64;
        let [a, b, c, d] = numbers.map(|number| number as u32);
        let width = u32::from(bits);
        let result = match what {
            What::Absolute if wide(0) == -(1 << (bits - 1)) => return None,
            What::Absolute => wide(0).abs(),
            What::LeadingZeros => (word(0).leading_zeros() + width).wrapping_sub(64).into(),
            What::Ones => word(0).count_ones().into(),
            What::Reversed => (word(0).reverse_bits() >> (64 - width)).into(),
            What::Highest(from_top) => {
                let value = if wide(0) < 0 { !wide(0) as u64 & ones(width) } else { word(0) };
                let at = value.checked_ilog2();
                let position = at.map(|at| if from_top { width - 1 - at } else { at });
                return Some(position.unwrap_or(u32::MAX).into());
            }
            What::Saturated => {
                let (least, most) = match signed {
                    true => (-1 << (bits - 1), ones(width - 1).into()),
                    false => (0, i128::from(ones(width))),
                };
                i128::from(numbers[0]).clamp(least, most)
            }
            What::Product24(high) => {
                let [a, b] = [0, 1].map(|at| cut(numbers[at].into(), 24, signed));
                if high { (a * b) >> 16 } else { a * b }
            }
            What::Mask(clamp) => {
                let beyond = clamp && (a > 31 || b > 31);
                let (from, count) = (a & 31, b & 31);
                let above = if beyond || from + count > 31 { 0 } else { !ones(from + count) };
                let below = if clamp && a > 31 { u64::MAX } else { ones(from) };
                (!below & !above).into()
            }
            What::Extended(clamp) if clamp && b > 31 => wide(0),
            What::Extended(_) if b & 31 == 0 => 0,
            What::Extended(_) => cut(numbers[0].into(), (b & 31) as u8, signed),
            What::Carry => [0, 1, 2].iter().map(|&at| i128::from(word(at))).sum::<i128>() >> bits,
            What::Borrow => {
                let sum = i128::from(word(1)) + i128::from(word(2));
                (i128::from(word(0)) < sum).into()
            }
            What::Distance => wide(2) + (wide(0) - wide(1)).abs(),
            What::Extracted => self.extracted(wide(0), b & 0xff, c & 0xff),
            What::Inserted => {
                let (at, count) = (c & 0xff, d & 0xff);
                let mask = ones(count).checked_shl(at).unwrap_or(0);
                let moved = word(0).checked_shl(at).unwrap_or(0);
                (word(1) & !mask | moved & mask).into()
            }
            What::Nth => return nth(a, b, c as i32),
            What::Permuted(mode) => permuted(a, b, c, mode).into(),
            What::Funnel(right, clamp) => {
                let both = u64::from(b) << 32 | u64::from(a);
                let by = if clamp { c.min(32) } else { c & 31 };
                if right { both >> by & ones(32) } else { both << by >> 32 }.into()
            }
            What::Table => {
                let bit = |of: u32, at: u32| of >> at & 1;
                let row = |at: u32| 4 * bit(a, at) + 2 * bit(b, at) + bit(c, at);
                (0..32).fold(0, |made, at| made | i128::from(d >> row(at) & 1) << at)
            }
        };
        Some(cut(result, bits, signed) as i64)
    }

    /// `count` bits of a number from a position on.
    fn extracted(self, of: i128, at: u32, count: u32) -> i128 {
        let within = (of >> at.min(127)) & i128::from(ones(count));
        let top = (at + count).saturating_sub(1).min(u32::from(self.bits) - 1);
        let negative = self.signed && count > 0 && of >> top & 1 == 1;
        match (negative, 1_i128.checked_shl(count)) {
            (true, Some(above)) => within | -above,
            _ => within,
        }
    }
}

/// The position of the n-th set bit of a mask from a position on.
fn nth(mask: u32, from: u32, offset: i32) -> Option<i64> {
    if from > 31 {
        return None;
    }
    let is = |at: &u32| mask >> at & 1 == 1;
    let skipped = offset.unsigned_abs().saturating_sub(1) as usize;
    let found = match offset.cmp(&0) {
        Ordering::Equal => Some(from).filter(is),
        Ordering::Greater => (from..32).filter(is).nth(skipped),
        Ordering::Less => (0..=from).rev().filter(is).nth(skipped),
    };
    Some(found.unwrap_or(u32::MAX).into())
}

/// Four bytes of eight; mode 0 uses the selector unchanged.
fn permuted(a: u32, b: u32, selector: u32, mode: u8) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mode = usize::from(mode).checked_sub(1).and_then(|mode| SELECTORS.get(mode));
    let selector = mode.map_or(selector, |of| of[selector as usize & 3].into());
    (0..4).fold(0, |made, at| {
        let nibble = selector >> (4 * at) & 15;
        let byte = (bytes >> (8 * (nibble & 7))) as u8;
        let sign = ((byte as i8) >> 7) as u8;
        made | u32::from(if nibble > 7 { sign } else { byte }) << (8 * at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result as an unsigned 64-bit number.
    fn made(head: &str, operands: &[i64]) -> Option<u64> {
        let bits = of(head).unwrap_or_else(|| panic!("{head}"));
        assert_eq!(bits.count(), operands.len(), "{head}");
        let mut numbers = [0; 4];
        numbers[..operands.len()].copy_from_slice(operands);
        bits.of(numbers).map(|made| made as u64)
    }

    fn expect(rows: &[(&str, &[i64], u64)]) {
        for (head, operands, result) in rows {
            assert_eq!(made(head, operands), Some(*result), "{head} {operands:x?}");
        }
    }

    #[test]
    fn bits_are_counted_and_reversed() {
        expect(&[
            ("clz.b32", &[0], 32),
            ("clz.b32", &[1], 31),
            ("clz.b32", &[-1], 0),
            ("clz.b32", &[0x1_0000_0000], 32),
            ("clz.b64", &[0], 64),
            ("clz.b64", &[0xffff_ffff], 32),
            ("clz.b64", &[-1], 0),
            ("popc.b32", &[-1], 32),
            ("popc.b32", &[0x1_0000_0001], 1),
            ("popc.b64", &[-1], 64),
            ("popc.b64", &[0], 0),
            ("brev.b32", &[1], 0x8000_0000),
            ("brev.b32", &[0x8000_0003], 0xc000_0001),
            ("brev.b64", &[1], 1 << 63),
            ("bfind.u32", &[0], 0xffff_ffff),
            ("bfind.u32", &[-1], 31),
            ("bfind.s32", &[-1], 0xffff_ffff),
            ("bfind.s32", &[-5], 2),
            ("bfind.u64", &[1 << 40], 40),
            ("bfind.shiftamt.u32", &[1], 31),
            ("bfind.shiftamt.u32", &[0], 0xffff_ffff),
            ("fns.b32", &[0b1011_0100, 2, 0], 2),
            ("fns.b32", &[0b1011_0100, 3, 0], 0xffff_ffff),
            ("fns.b32", &[0b1011_0100, 3, 1], 4),
            ("fns.b32", &[0b1011_0100, 2, 3], 5),
            ("fns.b32", &[0b1011_0100, 6, -2], 4),
            ("fns.b32", &[0b1011_0100, 0, 5], 0xffff_ffff),
            ("fns.b32", &[0b1011_0100, 0, i32::MIN as i64], 0xffff_ffff),
        ]);
        assert_eq!(made("fns.b32", &[1, 32, 1]), None, "PTX leaves a base above 31 open");
    }

    #[test]
    fn fields_are_extracted_and_inserted() {
        expect(&[
            ("bfe.u32", &[0xabcd_1234, 8, 8], 0x12),
            ("bfe.u32", &[0xabcd_1234, 28, 8], 0xa),
            ("bfe.u32", &[0xabcd_1234, 0, 32], 0xabcd_1234),
            ("bfe.u32", &[0xabcd_1234, 32, 8], 0),
            ("bfe.u32", &[0xabcd_1234, 4, 0], 0),
            ("bfe.u32", &[0xabcd_1234, 0x104, 0x104], 3),
            ("bfe.s32", &[0x80, 0, 8], -0x80_i64 as u64),
            ("bfe.s32", &[0x80, 0, 9], 0x80),
            ("bfe.s32", &[0x8000_0000, 31, 1], -1_i64 as u64),
            ("bfe.s32", &[0x8000_0000, 28, 16], -8_i64 as u64),
            ("bfe.s32", &[0x8000_0000, 40, 4], -1_i64 as u64),
            ("bfe.s32", &[0x4000_0000, 40, 255], 0),
            ("bfe.s32", &[-1, 3, 0], 0),
            ("bfe.u64", &[-1, 60, 8], 15),
            ("bfe.s64", &[i64::MIN, 63, 200], u64::MAX),
            ("bfe.u64", &[-1, 255, 255], 0),
            ("bfi.b32", &[0xff, 0x1111_1111, 8, 4], 0x1111_1f11),
            ("bfi.b32", &[0xff, 0x1111_1111, 28, 8], 0xf111_1111),
            ("bfi.b32", &[0xff, 0x1111_1111, 32, 8], 0x1111_1111),
            ("bfi.b32", &[0xff, 0x1111_1111, 0, 0], 0x1111_1111),
            ("bfi.b32", &[5, 0x1111_1111, 0, 32], 5),
            ("bfi.b64", &[1, 0, 63, 1], 1 << 63),
            ("bfi.b64", &[1, 7, 64, 1], 7),
            ("bmsk.clamp.b32", &[4, 8], 0xff0),
            ("bmsk.clamp.b32", &[28, 8], 0xf000_0000),
            ("bmsk.clamp.b32", &[4, 32], 0xffff_fff0),
            ("bmsk.clamp.b32", &[32, 4], 0),
            ("bmsk.clamp.b32", &[4, 0], 0),
            ("bmsk.wrap.b32", &[36, 36], 0xf0),
            ("bmsk.wrap.b32", &[4, 32], 0),
            ("szext.clamp.s32", &[0xff, 8], -1_i64 as u64),
            ("szext.clamp.u32", &[0x1ff, 8], 0xff),
            ("szext.clamp.u32", &[-1, 32], 0xffff_ffff),
            ("szext.clamp.s32", &[0xff, 0], 0),
            ("szext.wrap.u32", &[-1, 33], 1),
            ("szext.wrap.s32", &[-1, 32], 0),
        ]);
    }

    #[test]
    fn words_are_shifted_and_permuted() {
        let (low, high) = (0x7654_3210, 0xfedc_ba98);
        expect(&[
            ("shf.l.clamp.b32", &[low, high, 8], 0xdcba_9876),
            ("shf.l.clamp.b32", &[low, high, 32], low as u64),
            ("shf.l.clamp.b32", &[low, high, 33], low as u64),
            ("shf.l.wrap.b32", &[low, high, 32], high as u64),
            ("shf.l.wrap.b32", &[low, high, 40], 0xdcba_9876),
            ("shf.r.clamp.b32", &[low, high, 8], 0x9876_5432),
            ("shf.r.clamp.b32", &[low, high, 40], high as u64),
            ("shf.r.wrap.b32", &[low, high, 32], low as u64),
            ("prmt.b32", &[low, high, 0x3210], low as u64),
            ("prmt.b32", &[low, high, 0x7654], high as u64),
            ("prmt.b32", &[low, high, 0x0f80], 0x10ff_0010),
            ("prmt.b32.f4e", &[low, high, 1], 0x9876_5432),
            ("prmt.b32.b4e", &[low, high, 1], 0xdcfe_1032),
            ("prmt.b32.rc8", &[low, high, 2], 0x5454_5454),
            ("prmt.b32.ecl", &[low, high, 1], 0x7654_3232),
            ("prmt.b32.ecr", &[low, high, 2], 0x5454_3210),
            ("prmt.b32.rc16", &[low, high, 3], 0x7654_7654),
            ("lop3.b32", &[0xf0f0, 0xff00, 0xaaaa, 0x80], 0xa000),
            ("lop3.b32", &[0xf0f0, 0xff00, 0xaaaa, 0x96], 0xf0f0 ^ 0xff00 ^ 0xaaaa),
            ("lop3.b32", &[0, 0, 0, 1], 0xffff_ffff),
        ]);
    }

    #[test]
    fn sums_and_products_have_their_width() {
        expect(&[
            ("abs.s32", &[-7], 7),
            ("abs.s32", &[0xffff_fff9], 7),
            ("abs.s16", &[0xffff], 1),
            ("abs.s64", &[-7], 7),
            ("sad.u32", &[1, -1, 5], 3),
            ("sad.s32", &[1, -1, 5], 7),
            ("sad.u16", &[0, 0xffff, 1], 0),
            ("mul24.lo.u32", &[0x1ff_ffff, 2], 0x1ff_fffe),
            ("mul24.hi.u32", &[0xff_ffff, 0xff_ffff], 0xffff_fe00),
            ("mul24.lo.s32", &[0xff_ffff, 3], -3_i64 as u64),
            ("mul24.hi.s32", &[0xff_ffff, 1], -1_i64 as u64),
        ]);
        for head in ["abs.s16", "abs.s32", "abs.s64"] {
            let least = i64::MIN >> (64 - of(head).expect(head).bits);
            assert_eq!(made(head, &[least]), None, "{head}");
        }
    }

    #[test]
    fn carries_and_borrows() {
        let carry = |what, bits, numbers: [i64; 3]| {
            let [a, b, c] = numbers;
            Bits { what, bits, signed: false }.of([a, b, c, 0])
        };
        assert_eq!(carry(What::Carry, 32, [-1, 1, 0]), Some(1));
        assert_eq!(carry(What::Carry, 32, [-1, 0, 0]), Some(0));
        assert_eq!(carry(What::Carry, 32, [-1, -1, 1]), Some(1));
        assert_eq!(carry(What::Carry, 64, [-1, 0, 1]), Some(1));
        assert_eq!(carry(What::Borrow, 32, [0, 0, 1]), Some(1));
        assert_eq!(carry(What::Borrow, 32, [5, 5, 0]), Some(0));
        assert_eq!(carry(What::Borrow, 64, [0, -1, 1]), Some(1));
    }

    #[test]
    fn conversions_saturate() {
        let to = |bits, signed, number| {
            Bits { what: What::Saturated, bits, signed }.of([number, 0, 0, 0])
        };
        assert_eq!((to(8, false, 300), to(8, false, -1)), (Some(255), Some(0)));
        assert_eq!((to(8, true, 300), to(16, true, -70_000)), (Some(127), Some(-32768)));
        assert_eq!((to(64, false, -1), to(64, true, -1)), (Some(0), Some(-1)));
    }

    #[test]
    fn only_these_forms_are_computed() {
        for head in
            ["abs.f32", "shf.l.b32", "prmt.b32.x", "lop3.or.b32", "bmsk.b32", "clz", "abs.s8"]
        {
            assert_eq!(of(head), None, "{head}");
        }
        let bits = of("bfe.u32").expect("bfe");
        let address = super::super::memory::address(1, 0, None);
        let values = [Value::Int(address), Value::Int(0), Value::Int(8)];
        assert_eq!(bits.apply(&values, &Reach::default()), Err(Fault::Unset));
    }
}
