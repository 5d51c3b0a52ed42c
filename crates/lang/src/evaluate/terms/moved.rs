//! Terms as the sum of a term and a number.
//!
//! Indices that differ by a number name different elements, whatever the term is: wrap-around and extension of an index
//! keep different values different, and the product with the size of an element keeps elements apart.

use super::passed::LINEAR;
use super::{Inner, NOT_KNOWN, Part, Terms};
use crate::expression::types::Type;
use crate::expression::{Binary, Operator, Value};
use crate::lower::term::Doubt;
use alloc::format;

/// Largest number that a term is moved by.
const MOST: i64 = 1 << 31;

/// Operators with an integer result for integers.
const WHOLE: [&str; 11] = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "~"];

impl Inner {
    /// Whether a term is an integer: an element or a conversion of an integer type, or computed from such terms.
    pub(super) fn is_whole(&self, shape: &str, parts: &[Part]) -> bool {
        let shape = shape.split(['.', ' ']).next().unwrap_or_default();
        let converted = shape.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        if shape == LINEAR {
            return true;
        }
        if let Some(word) = shape.strip_prefix('@').or(converted) {
            let known = Type::ALL.into_iter().find(|of| of.word() == word);
            return known.is_some_and(|of| of != Type::Data);
        }
        let whole = |part: &Part| match part {
            Part::Number(_) => true,
            Part::Term(term) => self.known.get(*term as usize).is_some_and(|known| known.whole),
            _ => false,
        };
        WHOLE.contains(&shape) && parts.iter().all(whole)
    }

    /// A power of two that divides an integer, whatever its data are. Wrap-around keeps it a divisor.
    pub(super) fn multiple(&self, shape: &str, parts: &[Part]) -> i64 {
        let power = |number: i64| match number {
            0 => MOST,
            _ => 1 << number.trailing_zeros().min(31),
        };
        let of = |part: &Part| match part {
            Part::Number(number) => power(*number),
            Part::Term(term) => self.known.get(*term as usize).map_or(1, |known| known.multiple),
            _ => 1,
        };
        let all = match (shape, parts) {
            _ if !self.is_whole(shape, parts) => 1,
            ("*", [one, other]) => of(one).saturating_mul(of(other)),
            ("+" | "-" | "|" | "^", [one, other]) => of(one).min(of(other)),
            ("&", [one, other]) => of(one).max(of(other)),
            ("<<", [one, Part::Number(by @ 0..=31)]) => of(one) << by,
            ("-" | "(exact)" | "(int)" | "(uint)" | "(long)" | "(ulong)", [one]) => of(one),
            _ => 1,
        };
        all.min(MOST)
    }

    /// The value of a floating-point literal, also with a sign.
    pub(super) fn literal(&self, shape: &str, parts: &[Part]) -> Option<f64> {
        match (shape, parts) {
            ("-", [Part::Term(of)]) => self.known.get(*of as usize)?.literal.map(|number| -number),
            (_, []) if shape.starts_with(|first: char| first == '.' || first.is_ascii_digit()) => {
                shape.trim_end_matches(['f', 'F', 'l', 'L', 'h', 'H']).parse().ok()
            }
            _ => None,
        }
    }

    /// The term and the number of which an operand is the sum; a number has no term.
    fn sum(&self, value: Value) -> Option<(Option<u32>, i64)> {
        match Part::of(value) {
            Part::Number(number) => Some((None, number)),
            Part::Term(NOT_KNOWN) => None,
            Part::Term(term) => {
                let known = self.known.get(term as usize).filter(|known| known.whole)?;
                Some((Some(known.moved.0), known.moved.1))
            }
            _ => None,
        }
    }
}

/// Whether a conversion keeps different integers apart that are not far from each other.
fn is_wide(to: Type) -> bool {
    !matches!(to, Type::Bool | Type::Char | Type::Uchar | Type::Short | Type::Ushort | Type::Data)
}

impl Terms {
    /// The integer to which a floating-point literal is converted.
    pub(super) fn converted(&self, to: Type, values: &[Value]) -> Option<i64> {
        let [Value::Data(term)] = values else { return None };
        let number = self.0.borrow().known.get(*term as usize)?.literal?;
        let (least, most) = to.range().unwrap_or((-MOST, MOST));
        let whole = number as i64;
        let fits = is_wide(to)
            && !matches!(to, Type::Exact | Type::Wide)
            && number.is_finite()
            && (least..=most).contains(&whole);
        fits.then_some(whole)
    }

    /// Records of which term and number a new term is the sum.
    pub(super) fn moves(
        &self,
        id: u32,
        operator: Operator,
        values: &[Value],
        doubt: Option<Doubt>,
    ) {
        if id == NOT_KNOWN {
            return;
        }
        let Some((of, by)) = self.sum(operator, values, doubt) else { return };
        let mut inner = self.0.borrow_mut();
        if by.abs() < MOST && of != NOT_KNOWN {
            inner.known[id as usize].moved = (of, by);
        }
    }

    fn sum(
        &self,
        operator: Operator,
        values: &[Value],
        doubt: Option<Doubt>,
    ) -> Option<(u32, i64)> {
        let sums = || {
            let inner = self.0.borrow();
            let first = inner.sum(*values.first()?)?;
            let second = values.get(1).map_or(Some((None, 0)), |&second| inner.sum(second))?;
            Some((first, second))
        };
        match (operator, sums()?) {
            (Operator::Convert(to), ((Some(of), by), _)) if is_wide(to) => {
                let shape = format!("({})", to.word());
                Some((self.number(&shape, alloc::vec![Part::Term(of)], None), by))
            }
            (Operator::Binary(Binary::Add), ((Some(of), by), (None, more)))
            | (Operator::Binary(Binary::Add), ((None, more), (Some(of), by))) => {
                Some((of, by.checked_add(more)?))
            }
            (Operator::Binary(Binary::Subtract), ((Some(of), by), (None, less))) => {
                Some((of, by.checked_sub(less)?))
            }
            (Operator::Binary(Binary::Multiply), ((Some(of), by), (None, times))) if times != 0 => {
                let parts = alloc::vec![Part::Term(of), Part::Number(times)];
                Some((self.number("*", parts, doubt), by.checked_mul(times)?))
            }
            _ => None,
        }
    }
}
