//! Replaces bitwise functions of three operands by functions of two, for which more bits can be known.

use crate::builder::FunctionBuilder;
use crate::ir::{Op, Operand};
use crate::value::ones;

/// The tables of functions that depend on both operands; those with the fewest operations first. Bit `2 * x + y` is the value
/// for `x` and `y`.
const OF_TWO: [u8; 10] =
    [0b1000, 0b1110, 0b0110, 0b0100, 0b0010, 0b1101, 0b1011, 0b0111, 0b0001, 0b1001];

/// The value of a function of two bits.
const fn two(table: u8, x: u8, y: u8) -> u8 {
    table >> (2 * x + y) & 1
}

/// How a function of three bits is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Constant(bool),
    /// An operand, or its complement.
    One(usize, bool),
    /// A function of two operands.
    Two(u8, [usize; 2]),
    /// The first function of the result of the second one and a third operand.
    Three([u8; 2], [usize; 3]),
}

/// The bit of an operand in the number of a row of the table.
const fn bit(row: u8, operand: usize) -> u8 {
    row >> (2 - operand) & 1
}

/// How a table is computed; `None` if it needs more than two functions of two operands.
fn found(table: u8) -> Option<Found> {
    let is = |of: &dyn Fn(u8) -> u8| (0..8).all(|row| of(row) == table >> row & 1);
    if table == 0 || table == u8::MAX {
        return Some(Found::Constant(table != 0));
    }
    for operand in 0..3 {
        for not in [false, true] {
            if is(&|row| bit(row, operand) ^ u8::from(not)) {
                return Some(Found::One(operand, not));
            }
        }
    }
    let pairs = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];
    for first in OF_TWO {
        for [x, y, _] in pairs {
            if is(&|row| two(first, bit(row, x), bit(row, y))) {
                return Some(Found::Two(first, [x, y]));
            }
        }
    }
    for last in OF_TWO {
        for first in OF_TWO {
            for [x, y, z] in pairs {
                if is(&|row| two(last, two(first, bit(row, x), bit(row, y)), bit(row, z))) {
                    return Some(Found::Three([last, first], [x, y, z]));
                }
            }
        }
    }
    None
}

/// The table of a function in which an operand is constant.
fn fixed(table: u8, operand: usize, value: bool) -> u8 {
    let from = |row: u8| match value {
        true => row | 4 >> operand,
        false => row & !(4 >> operand),
    };
    (0..8).fold(0, |all, row| all | (table >> from(row) & 1) << row)
}

impl FunctionBuilder {
    /// A bitwise function of three operands: bit `4 * a + 2 * b + c` of the table is the value for these bits.
    pub(crate) fn logic(&mut self, width: u8, mut table: u8, of: [Operand; 3]) -> Option<Operand> {
        for (operand, value) in of.iter().enumerate() {
            match value {
                Operand::Int(number) if number & ones(width) == 0 => {
                    table = fixed(table, operand, false);
                }
                Operand::Int(number) if number & ones(width) == ones(width) => {
                    table = fixed(table, operand, true);
                }
                _ => {}
            }
        }
        Some(match found(table)? {
            Found::Constant(value) => Operand::Int(if value { ones(width) } else { 0 }),
            Found::One(at, false) => self.compute(width, Op::Copy, &[of[at]]),
            Found::One(at, true) => self.compute(width, Op::Not, &[of[at]]),
            Found::Two(table, [x, y]) => self.of_two(width, table, [of[x], of[y]]),
            Found::Three([last, first], [x, y, z]) => {
                let inner = self.of_two(width, first, [of[x], of[y]]);
                self.of_two(width, last, [inner, of[z]])
            }
        })
    }

    fn of_two(&mut self, width: u8, table: u8, [x, y]: [Operand; 2]) -> Operand {
        let (op, not, result) = match table {
            0b1000 => (Op::And, [false; 2], false),
            0b1110 => (Op::Or, [false; 2], false),
            0b0110 => (Op::Xor, [false; 2], false),
            0b0100 => (Op::And, [false, true], false),
            0b0010 => (Op::And, [true, false], false),
            0b1101 => (Op::Or, [false, true], false),
            0b1011 => (Op::Or, [true, false], false),
            0b0111 => (Op::And, [false; 2], true),
            0b0001 => (Op::Or, [false; 2], true),
            _ => (Op::Xor, [false; 2], true),
        };
        let mut operand = |value, not| match not {
            true => self.compute(width, Op::Not, &[value]),
            false => value,
        };
        let of = [operand(x, not[0]), operand(y, not[1])];
        let value = self.compute(width, op, &of);
        if result { self.compute(width, Op::Not, &[value]) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of what was found.
    fn table(of: Found) -> u8 {
        let value = |row| match of {
            Found::Constant(value) => u8::from(value),
            Found::One(at, not) => bit(row, at) ^ u8::from(not),
            Found::Two(first, [x, y]) => two(first, bit(row, x), bit(row, y)),
            Found::Three([last, first], [x, y, z]) => {
                two(last, two(first, bit(row, x), bit(row, y)), bit(row, z))
            }
        };
        (0..8).fold(0, |all, row| all | value(row) << row)
    }

    #[test]
    fn each_table_is_found_or_needs_an_operand_twice() {
        let all: alloc::vec::Vec<u8> = (0..=u8::MAX).filter(|&one| found(one).is_some()).collect();
        assert!(all.iter().all(|&one| found(one).map(table) == Some(one)));
        // A majority, and a choice between two operands, use one of them twice.
        assert!(!all.contains(&0xe8) && !all.contains(&0xca));
        assert_eq!(found(0xc0), Some(Found::Two(0b1000, [0, 1])));
        assert_eq!(found(0x3c), Some(Found::Two(0b0110, [0, 1])));
        assert_eq!(found(0xf8), Some(Found::Three([0b1110, 0b1000], [1, 2, 0])));
    }

    #[test]
    fn constants_are_put_into_the_table() {
        // `a & b | c` without `c`, and with all bits in `b`.
        assert_eq!(found(fixed(0xea, 2, false)), Some(Found::Two(0b1000, [0, 1])));
        assert_eq!(found(fixed(0xea, 1, true)), Some(Found::Two(0b1110, [0, 2])));
    }
}
