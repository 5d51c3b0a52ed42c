//! Numbers that operations return and that are known only during an execution.
//!
//! A body is evaluated before execution. The evaluation knows the register of such a number and its bounds. A comparison
//! that the bounds do not decide names a new bound, and the body continues with both answers; the execution then decides
//! ([`Fault::Undecided`]).

use super::{Binary, Fault, Value};

/// A number that an operation writes to a register, plus a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Counted {
    pub(crate) register: u16,
    /// The minimum value of the register.
    pub(crate) low: u32,
    /// The maximum value of the register.
    pub(crate) high: u32,
    pub(crate) add: i64,
    /// The instruction that writes it, as an index of the sources.
    pub(crate) source: u32,
}

/// The maximum number of possible values that are distinguished individually.
const MOST_APART: u32 = 4096;

impl Counted {
    /// Whether the value of the register is at least a limit.
    fn at_least(self, bound: i64) -> Result<bool, Fault> {
        if bound <= i64::from(self.low) {
            return Ok(true);
        }
        match u32::try_from(bound) {
            Ok(bound) if bound <= self.high => Err(Fault::Undecided(self.register, bound)),
            _ => Ok(false),
        }
    }

    /// The number itself.
    pub(super) fn number(self) -> Result<i64, Fault> {
        match self.high - self.low {
            0 => i64::from(self.low).checked_add(self.add).ok_or(Fault::Overflow),
            1..=MOST_APART => {
                let middle = self.low + (self.high - self.low).div_ceil(2);
                Err(Fault::Undecided(self.register, middle))
            }
            _ => Err(Fault::Uncounted),
        }
    }

    /// The number with the answer to whether the register is at least `least`.
    pub(crate) fn known(self, least: u32, holds: bool) -> Value {
        let known = match holds {
            true => Self { low: self.low.max(least), ..self },
            false => Self { high: self.high.min(least.saturating_sub(1)), ..self },
        };
        match known.number() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Counted(known),
        }
    }

    /// The result of an operator with a number as its second operand.
    fn with(self, operator: Binary, number: i64) -> Result<Value, Fault> {
        let after = |by: Option<i64>| by.ok_or(Fault::Overflow);
        let bound = number.checked_sub(self.add).ok_or(Fault::Overflow)?;
        let above = bound.saturating_add(1);
        let holds = match operator {
            Binary::Add => {
                let add = after(self.add.checked_add(number))?;
                return Ok(Value::Counted(Self { add, ..self }));
            }
            Binary::Subtract => {
                let add = after(self.add.checked_sub(number))?;
                return Ok(Value::Counted(Self { add, ..self }));
            }
            Binary::GreaterOrEqual => self.at_least(bound)?,
            Binary::Greater => self.at_least(above)?,
            Binary::Less => !self.at_least(bound)?,
            Binary::LessOrEqual => !self.at_least(above)?,
            Binary::Equal => self.at_least(bound)? && !self.at_least(above)?,
            Binary::NotEqual => !self.at_least(bound)? || self.at_least(above)?,
            _ => return super::arithmetic(operator, self.number()?, number).map(Value::Int),
        };
        Ok(Value::Int(i64::from(holds)))
    }
}

/// The comparison with its operands exchanged.
const fn mirrored(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Less => Binary::Greater,
        Binary::LessOrEqual => Binary::GreaterOrEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterOrEqual => Binary::LessOrEqual,
        Binary::Equal | Binary::NotEqual | Binary::Add => operator,
        _ => return None,
    })
}

/// The result of an operator with such a number among its operands; `None` if there is none.
pub(super) fn binary(operator: Binary, left: Value, right: Value) -> Option<Result<Value, Fault>> {
    Some(match (left, right) {
        (Value::Counted(left), Value::Int(right)) => left.with(operator, right),
        (Value::Int(left), Value::Counted(right)) => match mirrored(operator) {
            Some(operator) => right.with(operator, left),
            None => right
                .number()
                .and_then(|right| super::arithmetic(operator, left, right).map(Value::Int)),
        },
        (Value::Counted(one), Value::Counted(_)) => one.number().map(Value::Int),
        (Value::Counted(_), _) | (_, Value::Counted(_)) => Err(Fault::NotANumber),
        _ => return None,
    })
}

/// Whether it is not zero.
pub(super) fn truth(number: Counted) -> Result<bool, Fault> {
    number.with(Binary::NotEqual, 0).map(|value| value != Value::Int(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Counted = Counted { register: 3, low: 0, high: 64, add: 0, source: 0 };

    /// The result for this value of the register, and the number of questions to the execution.
    fn settled(operator: Binary, left: Value, right: Value, held: u32) -> (Value, u32) {
        let (mut left, mut right) = (left, right);
        for asked in 0..20 {
            match binary(operator, left, right).unwrap_or(Ok(left)) {
                Ok(value) => return (value, asked),
                Err(Fault::Undecided(register, least)) => {
                    assert_eq!(register, 3);
                    for value in [&mut left, &mut right] {
                        if let Value::Counted(count) = *value {
                            *value = count.known(least, held >= least);
                        }
                    }
                    if let (Value::Int(left), Value::Int(right)) = (left, right) {
                        let number = super::super::arithmetic(operator, left, right).unwrap();
                        return (Value::Int(number), asked + 1);
                    }
                }
                Err(fault) => panic!("{fault:?}"),
            }
        }
        panic!("asked too often");
    }

    #[test]
    fn comparisons_ask_for_one_bound_or_two() {
        use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        for operator in [Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual] {
            for held in [0, 1, 31, 32, 33, 64] {
                for number in [-1, 0, 1, 32, 64, 65] {
                    let exact = |a, b| super::super::arithmetic(operator, a, b).map(Value::Int);
                    let (count, number) = (Value::Counted(COUNT), Value::Int(number));
                    let Value::Int(plain) = number else { unreachable!() };
                    let (right, asked) = settled(operator, count, number, held);
                    assert_eq!(Ok(right), exact(i64::from(held), plain));
                    assert!(asked <= 2);
                    let (left, _) = settled(operator, number, count, held);
                    assert_eq!(Ok(left), exact(plain, i64::from(held)));
                }
            }
        }
    }

    #[test]
    fn computed_numbers_are_distinguished() {
        let count = Value::Counted(COUNT);
        for held in 0..=64 {
            let (half, _) = settled(Binary::Divide, count, Value::Int(2), held);
            assert_eq!(half, Value::Int(i64::from(held / 2)));
        }
        let more = binary(Binary::Add, count, Value::Int(5)).unwrap().unwrap();
        assert_eq!(settled(Binary::Less, more, Value::Int(6), 0).0, Value::Int(1));
        assert_eq!(settled(Binary::Less, more, Value::Int(6), 1).0, Value::Int(0));
        let wide = Value::Counted(Counted { high: 1 << 20, ..COUNT });
        assert_eq!(binary(Binary::Divide, wide, Value::Int(2)), Some(Err(Fault::Uncounted)));
        assert_eq!(binary(Binary::Less, wide, Value::Int(9)), Some(Err(Fault::Undecided(3, 9))));
    }
}
