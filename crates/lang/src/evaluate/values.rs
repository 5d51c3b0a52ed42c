//! The values that data can have, which decide whether an answer to a condition is possible.
//!
//! An element of memory can have every value of its type. A computation is followed as long as its possible values are
//! certain.

use crate::expression::comparison::{Left, Order, Possible};
use crate::expression::types::Type;
use crate::expression::{Binary, Operator, Unary};

/// Possible values: the smallest, the largest, and perhaps all between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) least: i128,
    pub(super) most: i128,
    /// Whether every integer between is possible.
    pub(super) every: bool,
    /// Whether no other value is possible.
    pub(super) only: bool,
}

/// Larger than any number of a type.
const FAR: i128 = 1 << 70;

const TRUTH: Values = Values { least: 0, most: 1, every: true, only: true };

impl Values {
    /// The values of an element of a type.
    pub(super) fn of(of: Type) -> Self {
        let (least, most) = match of {
            Type::Data => (-FAR, FAR),
            Type::Ulong => (0, (1 << 64) - 1),
            of => of.range().map_or((i64::MIN.into(), i64::MAX.into()), |(least, most)| {
                (least.into(), most.into())
            }),
        };
        Self { least, most, every: true, only: of != Type::Data }
    }

    /// The values after a unary operator.
    pub(super) fn changed(self, operator: Operator) -> Option<Self> {
        let Self { least, most, every, .. } = self;
        match operator {
            Operator::Unary(Unary::Not) => self.truth(),
            Operator::Unary(Unary::Negate) if least < 0 => {
                Some(Self { least: -most, most: -least, every, only: false })
            }
            Operator::Convert(Type::Bool) => self.truth(),
            Operator::Convert(Type::Data) => Some(Self { only: false, ..self }),
            Operator::Convert(to) => {
                let wanted = Self::of(to);
                let fits = wanted.least <= least && most <= wanted.most;
                let covers = every && least <= wanted.least && wanted.most <= most;
                // Numbers wrap: if there are as many values as the type has, all are possible.
                let wraps = every && most - least >= wanted.most - wanted.least && most < FAR;
                match (fits, covers || wraps) {
                    (true, _) => Some(self),
                    (false, true) => Some(wanted),
                    (false, false) => None,
                }
            }
            _ => None,
        }
    }

    /// The values after conversion to a truth value: zero and nonzero become false and true.
    pub(super) fn truth(self) -> Option<Self> {
        let zero =
            self.least == 0 || self.most == 0 || self.every && self.least < 0 && self.most > 0;
        (zero && self.least < self.most).then_some(TRUTH)
    }

    /// The values after a binary operator whose right operand is a number.
    pub(super) fn with(self, operator: Binary, number: i64) -> Option<Self> {
        let by = i128::from(number);
        let Self { least, most, every, .. } = self;
        let some = |least: i128, most: i128, every: bool| {
            (least <= most).then_some(Self { least, most, every, only: false })
        };
        match operator {
            // A result outside the type may wrap or be undefined.
            Binary::Add if every => some(least + by.max(0), most + by.min(0), true),
            Binary::Subtract if every => some(least + (-by).max(0), most + (-by).min(0), true),
            Binary::Remainder if by > 0 && every && most >= by - 1 => {
                let least = if least < 0 { (-(by - 1)).max(least) } else { 0 };
                let only = self.only;
                Some(Self { least, most: by - 1, every, only })
            }
            Binary::And if by >= 0 && every && least <= 0 && most >= by => {
                Some(Self { least: 0, most: by, every: by & (by + 1) == 0, only: self.only })
            }
            Binary::Divide if by > 0 && most < FAR => {
                Some(Self { least: least / by, most: most / by, ..self })
            }
            Binary::ShiftRight if (0..64).contains(&by) && most < FAR => {
                Some(Self { least: least >> by, most: most >> by, ..self })
            }
            Binary::Least if least <= by => Some(Self { most: most.min(by), ..self }),
            Binary::Most if most >= by => Some(Self { least: least.max(by), ..self }),
            Binary::Multiply if by == 1 => Some(self),
            // A product of floating-point numbers can be arbitrarily large and small.
            Binary::Multiply | Binary::Divide if by != 0 && most >= FAR => Some(self),
            _ => None,
        }
    }

    /// The values of a comparison with a number, if both results are possible.
    pub(super) fn decided(self, order: Order, number: i64) -> Option<Self> {
        let both = [true, false].into_iter().all(|yes| {
            let mut left = Left::default();
            left.take(order, number, yes);
            self.gives(&left) == Possible::Yes
        });
        both.then_some(TRUTH)
    }

    /// Whether some value gives these answers to comparisons; `Maybe` if unknown.
    pub(super) fn gives(self, left: &Left) -> Possible {
        let ends = left.holds(self.least) || left.holds(self.most);
        let inside = left.clone().within(self.least, self.most).possible();
        match inside {
            Possible::Yes if self.every || ends => Possible::Yes,
            Possible::No if self.only => Possible::No,
            _ => Possible::Maybe,
        }
    }

    /// The values after an operator whose other operand is a fixed nonzero floating-point number: a floating-point
    /// number can still be arbitrarily large and small.
    pub(super) fn scaled(self, operator: Binary, compares: bool) -> Option<Self> {
        let wide = self.every && self.most >= FAR && self.least <= -FAR;
        match operator {
            _ if !wide => None,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => Some(self),
            _ if compares => Some(TRUTH),
            _ => None,
        }
    }

    /// Whether two independent values can compare in either way.
    pub(super) fn compared(self, other: Self) -> Option<Self> {
        let overlap = self.least < other.most && other.least < self.most;
        (overlap && self.every && other.every).then_some(TRUTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(values: Option<Values>) -> Option<(i128, i128, bool)> {
        values.map(|values| (values.least, values.most, values.every))
    }

    #[test]
    fn elements_have_the_values_of_their_type() {
        assert_eq!(ends(Some(Values::of(Type::Uchar))), Some((0, 255, true)));
        assert_eq!(ends(Some(Values::of(Type::Short))), Some((-32768, 32767, true)));
        assert_eq!(ends(Some(Values::of(Type::Ulong))), Some((0, u64::MAX.into(), true)));
        assert_eq!(
            ends(Some(Values::of(Type::Long))),
            Some((i64::MIN.into(), i64::MAX.into(), true))
        );
    }

    #[test]
    fn operators_with_numbers_are_followed() {
        let byte = Values::of(Type::Uchar);
        assert_eq!(ends(byte.with(Binary::Remainder, 16)), Some((0, 15, true)));
        assert_eq!(ends(byte.with(Binary::And, 6)), Some((0, 6, false)));
        assert_eq!(ends(byte.with(Binary::And, 7)), Some((0, 7, true)));
        assert_eq!(ends(byte.with(Binary::ShiftRight, 4)), Some((0, 15, true)));
        assert_eq!(ends(byte.with(Binary::Least, 7)), Some((0, 7, true)));
        assert_eq!(ends(byte.with(Binary::Add, 3)), Some((3, 255, true)));
        assert_eq!(ends(byte.with(Binary::Multiply, 0)), None);
        assert_eq!(ends(Values::of(Type::Int).with(Binary::Remainder, 2)), Some((-1, 1, true)));
    }

    #[test]
    fn conversions_keep_values_or_cover_a_type() {
        let int = Values::of(Type::Int);
        assert_eq!(ends(int.changed(Operator::Convert(Type::Uchar))), Some((0, 255, true)));
        assert_eq!(ends(int.changed(Operator::Convert(Type::Long))), ends(Some(int)));
        let few = Values { least: 0, most: 300, every: true, only: true };
        assert_eq!(ends(few.changed(Operator::Convert(Type::Char))), Some((-128, 127, true)));
        let one = Values { least: 200, most: 201, every: true, only: true };
        assert_eq!(one.changed(Operator::Convert(Type::Char)), None);
        assert_eq!(ends(int.changed(Operator::Unary(Unary::Not))), Some((0, 1, true)));
    }
}
