//! Numbers that depend on an argument of a kernel.
//!
//! A body is evaluated with one value of each argument. A number computed from an argument records how it changes with the
//! argument. Each decision on such a number narrows the range around the value of the argument in which the decision is
//! the same. The evaluation is valid for all values in the remaining range.

use super::{Binary, Fault, Value, arithmetic, exact, number};
use alloc::vec::Vec;
use core::cell::RefCell;

/// A number that changes by `factor` with each step of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Linear {
    /// Its value for the current value of the argument.
    pub(crate) value: i64,
    /// The index of the argument in the scenario.
    pub(crate) argument: u16,
    pub(crate) factor: i64,
}

/// For each argument, how far it may decrease and increase without changing a decision so far.
#[derive(Debug, Default)]
pub(crate) struct Reach(RefCell<Vec<(i128, i128)>>);

impl Reach {
    /// The full ranges of this many arguments.
    pub(crate) fn new(arguments: usize) -> Self {
        Self(RefCell::new(alloc::vec![(i128::MIN / 4, i128::MAX / 4); arguments]))
    }

    /// How far an argument may decrease, as a number of at most zero, and increase.
    pub(crate) fn of(&self, argument: usize) -> (i128, i128) {
        self.0.borrow().get(argument).copied().unwrap_or_default()
    }

    /// Starts separate ranges; returns the ranges so far.
    pub(crate) fn apart(&self) -> Self {
        let new = Self::new(self.0.borrow().len());
        self.0.swap(&new.0);
        new
    }

    /// Intersects with other ranges.
    pub(crate) fn join(&self, other: &Self) {
        for (mine, other) in self.0.borrow_mut().iter_mut().zip(other.0.borrow().iter()) {
            *mine = (mine.0.max(other.0), mine.1.min(other.1));
        }
    }

    /// Restricts the argument so that a number stays between two limits, as it is now.
    fn keep(&self, of: Linear, least: i128, most: i128) {
        let (value, step) = (i128::from(of.value), i128::from(of.factor).abs());
        if step == 0 {
            return;
        }
        let (down, up) = ((value - least) / step, (most - value) / step);
        let (down, up) = if of.factor > 0 { (down, up) } else { (up, down) };
        if let Some(reach) = self.0.borrow_mut().get_mut(usize::from(of.argument)) {
            *reach = (reach.0.max(-down), reach.1.min(up));
        }
    }
}

/// Larger than any difference of two numbers.
const FAR: i128 = 1 << 100;

/// The number itself, used where something depends on it: its argument is restricted to its current value.
pub(crate) fn settled(value: Value, reach: &Reach) -> Value {
    let Value::Linear(number) = value else { return value };
    reach.keep(number, i128::from(number.value), i128::from(number.value));
    Value::Int(number.value)
}

/// For a number that depends on an argument and is outside a range, whether it is above the range, as for all farther values
/// of the argument.
pub(crate) fn leaves(value: Value, (least, most): (i64, i64), reach: &Reach) -> Option<bool> {
    let Value::Linear(of) = value else { return None };
    let (least, most) = (i128::from(least), i128::from(most));
    let above = i128::from(of.value) > most;
    if !above && i128::from(of.value) >= least {
        return None;
    }
    let (least, most) = if above { (most + 1, FAR) } else { (-FAR, least - 1) };
    reach.keep(of, least, most);
    Some(above)
}

/// A number limited to a range, for the current value of its argument; restricts the argument to the same case.
pub(crate) fn within(value: Value, (least, most): (i64, i64), reach: &Reach) -> i64 {
    if let Value::Linear(of) = value
        && (least..=most).contains(&of.value)
    {
        reach.keep(of, least.into(), most.into());
    }
    now(value)
}

/// How a number changes with an argument, if it does.
pub(crate) fn shift(value: Value) -> Option<(u16, i64)> {
    match value {
        Value::Linear(Linear { argument, factor, .. }) => Some((argument, factor)),
        _ => None,
    }
}

/// Restricts an argument to its current value.
pub(crate) fn settle(argument: u16, reach: &Reach) {
    settled(Value::Linear(Linear { value: 0, argument, factor: 1 }), reach);
}

/// A number for the current value of its argument.
pub(crate) fn now(value: Value) -> i64 {
    match value {
        Value::Linear(Linear { value, .. }) | Value::Int(value) => value,
        _ => 0,
    }
}

/// Whether a number is below zero.
pub(super) fn negative(value: Value, reach: &Reach) -> bool {
    match value {
        Value::Linear(one) => compare(Binary::Less, one, reach),
        Value::Int(number) => number < 0,
        _ => false,
    }
}

/// What wrapping to a range subtracts from a number.
fn around(number: i64, (least, most): (i64, i64)) -> i128 {
    let size = i128::from(most) - i128::from(least) + 1;
    (i128::from(number) - i128::from(least)).div_euclid(size) * size
}

/// A number wrapped to a range.
pub(super) fn wrapped_number(number: i64, range: (i64, i64)) -> i64 {
    (i128::from(number) - around(number, range)) as i64
}

/// A number wrapped to a range; restricts the argument so that it wraps equally often.
pub(crate) fn wrapped(value: Value, range: (i64, i64), reach: &Reach) -> Value {
    let (least, most) = range;
    match value {
        Value::Int(number) => Value::Int(wrapped_number(number, range)),
        Value::Linear(one) => {
            let by = around(one.value, range);
            reach.keep(one, i128::from(least) + by, i128::from(most) + by);
            Value::Linear(Linear { value: (i128::from(one.value) - by) as i64, ..one })
        }
        other => other,
    }
}

/// Whether a number is not zero.
pub(super) fn truth(value: Value, reach: &Reach) -> Result<bool, Fault> {
    let one = match value {
        Value::Linear(one) => one,
        Value::Counted(count) => return super::counted::truth(count),
        _ => return number(value).map(|number| number != 0),
    };
    let zero = compare(Binary::Equal, one, reach);
    Ok(!zero)
}

/// The result of comparing a number with zero.
fn compare(operator: Binary, number: Linear, reach: &Reach) -> bool {
    let value = i128::from(number.value);
    // The range in which the comparison with zero has the same result.
    let (least, most) = match operator {
        Binary::Less | Binary::GreaterOrEqual if value < 0 => (-FAR, -1),
        Binary::Less | Binary::GreaterOrEqual => (0, FAR),
        Binary::LessOrEqual | Binary::Greater if value > 0 => (1, FAR),
        Binary::LessOrEqual | Binary::Greater => (-FAR, 0),
        _ if value < 0 => (-FAR, -1),
        _ if value > 0 => (1, FAR),
        _ => (0, 0),
    };
    reach.keep(number, least, most);
    match operator {
        Binary::Less => value < 0,
        Binary::LessOrEqual => value <= 0,
        Binary::Greater => value > 0,
        Binary::GreaterOrEqual => value >= 0,
        Binary::NotEqual => value != 0,
        _ => value == 0,
    }
}

/// An operator with an operand that depends on an argument.
pub(super) fn binary(
    operator: Binary,
    left: Value,
    right: Value,
    reach: &Reach,
) -> Result<Value, Fault> {
    use Binary::*;
    let plain = |left: Value, right: Value| {
        let (left, right) = (settled(left, reach), settled(right, reach));
        super::binary(operator, left, right, reach)
    };
    match (operator, left, right) {
        // If two arguments are involved, one is fixed.
        (_, Value::Linear(one), Value::Linear(other)) if one.argument != other.argument => {
            super::binary(operator, left, settled(right, reach), reach)
        }
        (Add | Subtract, ..) => match combined(operator, left, right)? {
            Some(sum) => Ok(sum),
            None => plain(left, right),
        },
        (Multiply, Value::Linear(one), Value::Int(by))
        | (Multiply, Value::Int(by), Value::Linear(one)) => scaled(one, by, reach),
        (ShiftLeft, Value::Linear(one), Value::Int(by @ 0..62)) => scaled(one, 1 << by, reach),
        (
            Divide | Remainder | FloorDivide | FloorRemainder | ShiftRight,
            Value::Linear(one),
            Value::Int(by),
        ) => divided(operator, one, by, reach),
        (Least | Most, ..) => {
            let less = binary(Less, left, right, reach)? == Value::Int(1);
            Ok(if less == (operator == Least) { left } else { right })
        }
        (Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual, ..) => {
            match combined(Subtract, left, right) {
                Ok(Some(Value::Linear(difference))) => {
                    Ok(Value::Int(i64::from(compare(operator, difference, reach))))
                }
                Ok(Some(difference)) => super::binary(operator, difference, Value::Int(0), reach),
                _ => plain(left, right),
            }
        }
        _ => plain(left, right),
    }
}

/// A sum or difference of numbers that depend on one argument; `None` if a step is too large.
fn combined(operator: Binary, left: Value, right: Value) -> Result<Option<Value>, Fault> {
    let parts = |value: Value| match value {
        Value::Linear(one) => Ok((one.value, one.factor, Some(one.argument))),
        value => number(value).map(|number| (number, 0, None)),
    };
    let ((a, step, argument), (b, other_step, other)) = (parts(left)?, parts(right)?);
    let value = arithmetic(operator, a, b)?;
    let (Ok(factor), Some(argument)) = (arithmetic(operator, step, other_step), argument.or(other))
    else {
        return Ok(None);
    };
    Ok(Some(made(value, argument, factor)))
}

fn made(value: i64, argument: u16, factor: i64) -> Value {
    if factor == 0 { Value::Int(value) } else { Value::Linear(Linear { value, argument, factor }) }
}

fn scaled(one: Linear, by: i64, reach: &Reach) -> Result<Value, Fault> {
    let value = exact(one.value.checked_mul(by))?;
    Ok(match one.factor.checked_mul(by) {
        Some(factor) => made(value, one.argument, factor),
        None => {
            settled(Value::Linear(one), reach);
            Value::Int(value)
        }
    })
}

/// A quotient or remainder by a number, within the range of one quotient.
fn divided(operator: Binary, one: Linear, by: i64, reach: &Reach) -> Result<Value, Fault> {
    let value = arithmetic(operator, one.value, by)?;
    let floor =
        matches!(operator, Binary::ShiftRight | Binary::FloorDivide | Binary::FloorRemainder);
    let size = if operator == Binary::ShiftRight { 1_i128 << by } else { i128::from(by) };
    let quotient = match operator {
        Binary::Remainder => i128::from(one.value) / size,
        Binary::FloorRemainder => i128::from(one.value).div_euclid(size),
        _ => i128::from(value),
    };
    if size < 1 {
        return Ok(settled_as(one, value, reach));
    }
    let first = quotient * size;
    if floor || one.value >= 0 {
        reach.keep(one, first, first + size - 1);
    } else {
        reach.keep(one, first - size + 1, first);
    }
    Ok(match operator {
        Binary::Remainder | Binary::FloorRemainder => made(value, one.argument, one.factor),
        _ => Value::Int(value),
    })
}

fn settled_as(one: Linear, value: i64, reach: &Reach) -> Value {
    settled(Value::Linear(one), reach);
    Value::Int(value)
}
