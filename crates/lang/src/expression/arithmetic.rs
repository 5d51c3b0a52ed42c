//! Operators on exact numbers of 64 bits.

use super::{Binary, Fault};

/// A number that fits in 64 bits.
pub(super) fn exact(number: Option<i64>) -> Result<i64, Fault> {
    number.ok_or(Fault::Overflow)
}

/// Whether the quotient of two numbers is below its integer part.
const fn is_below(a: i64, b: i64) -> bool {
    a.wrapping_rem(b) != 0 && (a < 0) != (b < 0)
}

/// The result of an operator on exact numbers.
pub(super) fn arithmetic(operator: Binary, a: i64, b: i64) -> Result<i64, Fault> {
    let number = match operator {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide | Binary::Remainder | Binary::FloorDivide | Binary::FloorRemainder
            if b == 0 =>
        {
            return Err(Fault::DivisionByZero);
        }
        Binary::FloorDivide => a.checked_div(b).map(|all| all - i64::from(is_below(a, b))),
        Binary::FloorRemainder => Some(a.wrapping_rem(b) + if is_below(a, b) { b } else { 0 }),
        Binary::Divide => a.checked_div(b),
        Binary::Remainder => Some(a.wrapping_rem(b)),
        Binary::ShiftLeft | Binary::ShiftRight if !(0..64).contains(&b) => {
            return Err(Fault::ShiftRange);
        }
        Binary::ShiftLeft => Some(a << b).filter(|shifted| shifted >> b == a),
        Binary::ShiftRight => Some(a >> b),
        Binary::And => Some(a & b),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::Equal => Some(i64::from(a == b)),
        Binary::NotEqual => Some(i64::from(a != b)),
        Binary::Less => Some(i64::from(a < b)),
        Binary::LessOrEqual => Some(i64::from(a <= b)),
        Binary::Greater => Some(i64::from(a > b)),
        Binary::GreaterOrEqual => Some(i64::from(a >= b)),
        Binary::Least => Some(a.min(b)),
        Binary::Most => Some(a.max(b)),
    };
    exact(number)
}

#[cfg(test)]
mod tests {
    use super::super::linear::Reach;
    use super::super::{Unary, Value, unary};
    use super::*;

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(arithmetic(Binary::Add, i64::MAX, 1), Err(Fault::Overflow));
        assert_eq!(arithmetic(Binary::Divide, i64::MIN, -1), Err(Fault::Overflow));
        assert_eq!(arithmetic(Binary::Remainder, i64::MIN, -1), Ok(0));
        assert_eq!(arithmetic(Binary::Remainder, 1, 0), Err(Fault::DivisionByZero));
        let floor =
            |a, b| [Binary::FloorDivide, Binary::FloorRemainder].map(|it| arithmetic(it, a, b));
        for (a, b, all, rest) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (-6, 2, -3, 0)]
        {
            assert_eq!(floor(a, b), [Ok(all), Ok(rest)], "{a} {b}");
        }
        assert_eq!(floor(i64::MIN, -1), [Err(Fault::Overflow), Ok(0)]);
        assert_eq!(floor(1, 0), [Err(Fault::DivisionByZero); 2]);
        assert_eq!(arithmetic(Binary::ShiftLeft, 1, 62), Ok(1 << 62));
        assert_eq!(arithmetic(Binary::ShiftLeft, 1, 63), Err(Fault::Overflow));
        assert_eq!(arithmetic(Binary::ShiftRight, 1, 64), Err(Fault::ShiftRange));
        let negated = unary(Unary::Negate, Value::Int(i64::MIN), &Reach::default());
        assert_eq!(negated, Err(Fault::Overflow));
    }
}
