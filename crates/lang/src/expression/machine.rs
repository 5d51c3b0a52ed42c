//! Integer instructions: PTX and SASS compute with the width and signedness of the instruction, and wrap.
//!
//! PTX ISA 9.1, "Integer Arithmetic Instructions", "Comparison and Selection Instructions", "Logic and Shift
//! Instructions". A register holds bits: an operand is read in the type of the instruction, whatever instruction wrote
//! it.

use super::linear::{self, Reach};
use super::memory::{address, at, descriptor, plain, tile_at};
use super::{Binary, Fault, Value};

/// The function of an instruction with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// An operator; shift amounts are clamped to the width.
    Plain(Binary),
    /// The upper half of a product.
    High,
    /// A product of twice the width.
    Wide,
}

/// An operation in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) does: Does,
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

/// The lowest bits of a number, signed or unsigned.
pub(super) fn cut(number: i128, bits: u8, signed: bool) -> i128 {
    let unused = 128 - u32::from(bits);
    if signed { number << unused >> unused } else { ((number as u128) << unused >> unused) as i128 }
}

impl Typed {
    /// The result for two numbers.
    pub(crate) fn of(self, left: i64, right: i64) -> Result<i64, Fault> {
        let Self { does, bits, signed } = self;
        let [a, b] = [left, right].map(|number| cut(number.into(), bits, signed));
        // A shift amount is an unsigned 32-bit number.
        let amount = cut(right.into(), 32, false).min(bits.into()) as u32;
        let operator = match does {
            Does::High if signed => return Ok(cut((a * b) >> bits, bits, true) as i64),
            Does::High => return Ok(((a as u128 * b as u128) >> bits) as i64),
            Does::Wide => return Ok(a.wrapping_mul(b) as i64),
            Does::Plain(operator) => operator,
        };
        let result = match operator {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a.wrapping_mul(b),
            Binary::Divide => a.checked_div(b).ok_or(Fault::DivisionByZero)?,
            Binary::Remainder => a.checked_rem(b).ok_or(Fault::DivisionByZero)?,
            Binary::FloorDivide => {
                a.checked_div_euclid(b).ok_or(Fault::DivisionByZero)?
                    - i128::from(b < 0 && a % b != 0)
            }
            Binary::FloorRemainder if b == 0 => return Err(Fault::DivisionByZero),
            Binary::FloorRemainder => (a % b + b) % b,
            Binary::ShiftLeft => a << amount,
            Binary::ShiftRight => a >> amount,
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Least => a.min(b),
            Binary::Most => a.max(b),
            Binary::Equal => return Ok((a == b).into()),
            Binary::NotEqual => return Ok((a != b).into()),
            Binary::Less => return Ok((a < b).into()),
            Binary::LessOrEqual => return Ok((a <= b).into()),
            Binary::Greater => return Ok((a > b).into()),
            Binary::GreaterOrEqual => return Ok((a >= b).into()),
        };
        Ok(cut(result, bits, signed) as i64)
    }

    /// The result for two values: addresses stay addresses; a shifted and masked address is a descriptor.
    pub(super) fn apply(self, left: Value, right: Value, reach: &Reach) -> Result<Value, Fault> {
        if matches!((left, right), (Value::Linear(_), _) | (_, Value::Linear(_))) {
            return self.of_arguments(left, right, reach);
        }
        let numbers = match (left, right) {
            (Value::Int(a), Value::Int(b)) => Some((a, b)),
            _ => None,
        };
        if let Some((a, b)) = numbers {
            return match (tile_at(a), tile_at(b)) {
                (None, None) => plain(self.of(a, b)?).map(Value::Int),
                (Some(_), None) => self.moved(a, b),
                (None, Some(_)) if self.commutes() => self.moved(b, a),
                (Some(one), Some(other))
                    if (one.buffer, one.rank) == (other.buffer, other.rank) =>
                {
                    self.of(a, b).map(Value::Int)
                }
                // The addresses of memories are unknown.
                _ => Err(Fault::Unset),
            };
        }
        // The bits of tokens and objects are unknown.
        match (self.operator(), right) {
            (Ok(Binary::Add), Value::Int(0)) => Ok(left),
            (Ok(operator), _) => super::binary(operator, left, right, reach),
            (Err(fault), _) => Err(fault),
        }
        .map_err(|fault| if fault == Fault::NotANumber { Fault::Unset } else { fault })
    }

    /// The result if a number depends on an argument: it is tracked as long as it stays in the range of the type.
    fn of_arguments(self, left: Value, right: Value, reach: &Reach) -> Result<Value, Fault> {
        use Binary::{Add, And, Divide, Equal, Greater, GreaterOrEqual, Least, Less, LessOrEqual};
        use Binary::{Most, Multiply, NotEqual, Remainder, ShiftLeft, ShiftRight, Subtract};
        let range = |bits: u8, signed: bool| match (bits, signed) {
            (64.., _) => (i64::MIN, i64::MAX),
            (_, true) => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
            (_, false) => (0, (1 << bits) - 1),
        };
        let lies = |value: Value| tile_at(linear::now(value)).is_some();
        let whole = |value: Value| matches!(value, Value::Int(_) | Value::Linear(_));
        let operator = match self.does {
            Does::Plain(operator) => operator,
            Does::Wide => Multiply,
            Does::High => And,
        };
        let linear = matches!(
            operator,
            Add | Subtract | Multiply | ShiftLeft | ShiftRight | Divide | Remainder | Least | Most
        ) || matches!(
            operator,
            Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual
        );
        let amount = matches!(operator, ShiftLeft | ShiftRight);
        let fits = !amount
            || matches!(right, Value::Int(by) if (0..self.bits.min(62).into()).contains(&by));
        let unsigned = self.bits == 64
            && !self.signed
            && !matches!(operator, Add | Subtract | Multiply | ShiftLeft | Equal | NotEqual);
        if !linear
            || !fits
            || unsigned
            || lies(left)
            || lies(right)
            || !whole(left)
            || !whole(right)
        {
            let settled = [left, right].map(|value| linear::settled(value, reach));
            return self.apply(settled[0], settled[1], reach);
        }
        let bounds = range(self.bits, self.signed);
        let [left, right] = [left, right].map(|value| match value {
            Value::Linear(_) => linear::wrapped(value, bounds, reach),
            Value::Int(number) => Value::Int(cut(number.into(), self.bits, self.signed) as i64),
            other => other,
        });
        let result = linear::binary(operator, left, right, reach)?;
        Ok(match self.does {
            Does::Wide => result,
            _ => linear::wrapped(result, bounds, reach),
        })
    }

    fn operator(self) -> Result<Binary, Fault> {
        match self.does {
            Does::Plain(operator) => Ok(operator),
            _ => Err(Fault::NotANumber),
        }
    }

    fn commutes(self) -> bool {
        matches!(self.does, Does::Plain(Binary::Add | Binary::Or | Binary::And))
    }

    /// The result for an address or descriptor and a number.
    fn moved(self, from: i64, number: i64) -> Result<Value, Fault> {
        let near = cut(number.into(), self.bits.min(32), true) as i64;
        let result = match (self.operator()?, at(from)) {
            (Binary::Add, Some(_)) => from + near,
            (Binary::Subtract, Some(_)) => from - near,
            (Binary::And, Some(here)) if near < 0 => {
                address(here.buffer, here.offset & near, here.rank)
            }
            // The lowest bits depend on its alignment.
            (Binary::And, Some(_)) if near < 0x3fff => return Err(Fault::Unset),
            (Binary::ShiftRight, Some(_)) if number == 4 => descriptor(from),
            // The lowest 14 bits of a descriptor are an address in units of 16 bytes; the bits above are its layout.
            (Binary::Add, None) => from + (number & 0x3fff) * 16,
            (Binary::And | Binary::Or, _) => from,
            (Binary::Equal, _) => 0,
            (Binary::NotEqual, _) => 1,
            _ => return Err(Fault::Unset),
        };
        Ok(Value::Int(result))
    }
}

/// The operators by PTX name.
const OPERATORS: [(&str, Binary); 12] = [
    ("add", Binary::Add),
    ("sub", Binary::Subtract),
    ("mul", Binary::Multiply),
    ("div", Binary::Divide),
    ("rem", Binary::Remainder),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("xor", Binary::Xor),
    ("shl", Binary::ShiftLeft),
    ("shr", Binary::ShiftRight),
    ("min", Binary::Least),
    ("max", Binary::Most),
];

/// The comparisons of `setp`; unsigned ones have separate names.
pub(crate) const COMPARISONS: [(&str, Binary); 10] = [
    ("eq", Binary::Equal),
    ("ne", Binary::NotEqual),
    ("lt", Binary::Less),
    ("le", Binary::LessOrEqual),
    ("gt", Binary::Greater),
    ("ge", Binary::GreaterOrEqual),
    ("lo", Binary::Less),
    ("ls", Binary::LessOrEqual),
    ("hi", Binary::Greater),
    ("hs", Binary::GreaterOrEqual),
];

/// A PTX integer type: its width in bits, and whether it is signed.
pub(crate) fn whole(of: &str) -> Option<(u8, bool)> {
    if of == "pred" {
        return Some((1, false));
    }
    let bits = of.get(1..)?.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
    matches!(of.as_bytes()[0], b'u' | b's' | b'b').then_some((bits, of.starts_with('s')))
}

/// The operation of an integer instruction with that head on its first two operands: `add.u32`, `mul.wide.s32`,
/// `setp.lo.u16`.
pub(crate) fn binary_of(head: &str) -> Option<Typed> {
    let mut parts = head.split('.');
    let (first, (bits, signed)) = (parts.next()?, whole(parts.next_back()?)?);
    let word = parts.next().unwrap_or("");
    let of = |table: &[(&str, Binary)], word: &str| {
        table.iter().find(|(name, _)| *name == word).map(|&(_, operator)| Does::Plain(operator))
    };
    let does = match (first, word) {
        ("setp", word) => of(&COMPARISONS, word)?,
        ("mul" | "mad", "hi") => Does::High,
        ("mul" | "mad", "wide") => Does::Wide,
        ("mul" | "mad", "lo") => Does::Plain(Binary::Multiply),
        (first, "") => of(&OPERATORS, first)?,
        _ => return None,
    };
    // Other modifiers are not supported.
    let joins = |part: &str| first == "setp" && JOINS.iter().any(|(name, _)| *name == part);
    let signed = signed && !(first == "setp" && matches!(word, "lo" | "ls" | "hi" | "hs"));
    parts.all(joins).then_some(Typed { does, bits, signed })
}

/// How the result of a comparison is combined with a predicate.
pub(crate) const JOINS: [(&str, Binary); 3] =
    [("and", Binary::And), ("or", Binary::Or), ("xor", Binary::Xor)];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(head: &str, a: i64, b: i64) -> i64 {
        binary_of(head).expect(head).of(a, b).expect(head)
    }

    #[test]
    fn numbers_wrap_at_their_width() {
        assert_eq!(of("sub.u32", 0, 1), 0xffff_ffff);
        assert_eq!(of("sub.s32", 0, 1), -1);
        assert_eq!(of("add.u16", 0xffff, 2), 1);
        assert_eq!(of("add.s32", 0x7fff_ffff, 1), -0x8000_0000);
        assert_eq!(of("add.u64", -1, 2), 1);
        assert_eq!(of("mul.lo.u32", 0x1_0001, 0x1_0001), 0x2_0001);
        assert_eq!(of("mul.hi.u32", 0xffff_ffff, 2), 1);
        assert_eq!(of("mul.hi.s32", -1, 2), -1);
        assert_eq!(of("mul.hi.u64", -1, -1), -2);
        assert_eq!(of("mul.wide.u32", -1, 2), 0x1_ffff_fffe);
        assert_eq!(of("mul.wide.s32", -1, 2), -2);
        assert_eq!(of("mul.wide.s16", 0xffff, 0xffff), 1);
    }

    #[test]
    fn shifts_clamp_their_amounts() {
        assert_eq!(of("shl.b32", 1, 31), 0x8000_0000);
        assert_eq!(of("shl.b32", 1, 32), 0);
        assert_eq!(of("shl.b32", 1, -1), 0);
        assert_eq!(of("shl.b64", 1, 63), i64::MIN);
        assert_eq!(of("shr.u32", -1, 31), 1);
        assert_eq!(of("shr.s32", 0x8000_0000, 31), -1);
        assert_eq!(of("shr.s32", -4, 40), -1);
        assert_eq!(of("shr.u32", -4, 40), 0);
    }

    #[test]
    fn signs_decide_comparisons_and_quotients() {
        assert_eq!((of("setp.lt.u32", -1, 1), of("setp.lt.s32", -1, 1)), (0, 1));
        assert_eq!((of("setp.lo.s32", -1, 1), of("setp.hi.u32", -1, 1)), (0, 1));
        assert_eq!((of("setp.eq.b16", 0x1_0001, 1), of("setp.eq.b32", 0x1_0001, 1)), (1, 0));
        assert_eq!(of("setp.gt.s16", 0x8000, 0), 0);
        assert_eq!((of("div.s32", -7, 2), of("div.u32", -7, 2)), (-3, 0x7fff_fffc));
        assert_eq!((of("rem.s32", -7, 2), of("min.u32", -7, 2)), (-1, 2));
        assert_eq!(of("div.s32", -0x8000_0000, -1), -0x8000_0000);
        assert_eq!(binary_of("div.u32").expect("div").of(1, 0), Err(Fault::DivisionByZero));
        assert_eq!(of("xor.b32", 1, -1), 0xffff_fffe);
    }

    #[test]
    fn addresses_keep_their_memory() {
        let typed = |head: &str| binary_of(head).expect(head);
        let apply = |head: &str, a: i64, b: i64| {
            typed(head).apply(Value::Int(a), Value::Int(b), &Reach::default())
        };
        let here = address(3, 64, None);
        assert_eq!(apply("add.u32", here, -16), Ok(Value::Int(address(3, 48, None))));
        assert_eq!(apply("add.s64", 16, here), Ok(Value::Int(address(3, 80, None))));
        let described = descriptor(here);
        assert_eq!(apply("shr.u32", here, 4), Ok(Value::Int(described)));
        assert_eq!(apply("and.b32", described, 0x3fff), Ok(Value::Int(described)));
        assert_eq!(apply("or.b64", described, i64::MIN), Ok(Value::Int(described)));
        let next = apply("add.s64", described, 2);
        assert_eq!(next, Ok(Value::Int(descriptor(address(3, 96, None)))));
        assert_eq!(apply("mul.lo.u32", here, 2), Err(Fault::Unset));
    }

    #[test]
    fn only_integers_are_computed() {
        let heads = ["add.f32", "mul.rn.f64", "setp.lt.f16", "add.sat.s32", "addc.u32", "add"];
        for head in heads.into_iter().chain(["min.relu.s32", "add.cc.u32", "mad.hi.sat.s32"]) {
            assert_eq!(binary_of(head), None, "{head}");
        }
    }
}
