//! Bounds that answers of the host on a path of a proof give for later comparisons.
//!
//! A loop of `n` iterations often tests whether there is a next one, as in `if (i + 1 < n)`, before it tests whether it ends.
//! The second answer then follows from the first. An answer bounds the sum of symbols in the difference of the two numbers.

use crate::ir::Comparison;
use crate::value::{Slope, Symbol, Value, signed, symbols};
use alloc::vec::Vec;

/// A sum of symbols with factors, and its minimum and maximum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bound {
    sum: Vec<(Symbol, i64)>,
    is_signed: bool,
    least: i128,
    most: i128,
}

/// The known bounds of sums of symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Facts(Vec<Bound>);

/// A comparison, as the question whether a sum of symbols is within bounds.
pub(crate) struct Question {
    sum: Vec<(Symbol, i64)>,
    is_signed: bool,
    within: [i128; 2],
    /// Whether the comparison is true outside the bounds instead.
    negated: bool,
}

const LEAST: i128 = -MOST;
const MOST: i128 = i128::MAX / 4;

impl Question {
    /// The question whether a comparison holds; `None` if lanes differ, or a number does not grow steadily.
    pub(crate) fn of(how: Comparison, width: u8, of: [&Value; 2]) -> Option<Self> {
        use Comparison::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        if width < 32 {
            return None;
        }
        let is_signed = !matches!(how, Ult | Ule | Ugt | Uge);
        // Numbers of 32 bits or more are assumed not to overflow. Unsigned ones must not go below zero.
        let number = |value: &Value| {
            let bits = value.bits.one().filter(|_| value.is_known())?;
            Some(signed(bits, width)).filter(|number| is_signed || *number >= 0).map(i128::from)
        };
        let factor = |value: &Value, symbol| match value.slope(symbol) {
            Slope::Linear(by) => {
                by.one().map(|by| signed(by, width)).filter(|by| is_signed || *by >= 0)
            }
            _ => None,
        };
        let apart = number(of[0])?.checked_sub(number(of[1])?)?;
        let mut sum = Vec::new();
        for symbol in symbols(of) {
            let by = factor(of[0], symbol)?.checked_sub(factor(of[1], symbol)?)?;
            if by != 0 {
                sum.push((symbol, by));
            }
        }
        sum.sort_unstable();
        // The difference is `apart` plus the sum.
        let zero = -apart;
        let (within, negated) = match how {
            Slt | Ult => ([LEAST, zero - 1], false),
            Sle | Ule => ([LEAST, zero], false),
            Sgt | Ugt => ([zero + 1, MOST], false),
            Sge | Uge => ([zero, MOST], false),
            Eq => ([zero, zero], false),
            Ne => ([zero, zero], true),
        };
        let mut question = Self { sum, is_signed, within, negated };
        if question.sum.first().is_some_and(|(_, by)| *by < 0) {
            question.sum.iter_mut().for_each(|(_, by)| *by = -*by);
            question.within = [-question.within[1], -question.within[0]];
        }
        Some(question)
    }
}

impl Facts {
    /// The answer, if it is known.
    pub(crate) fn answer(&self, question: &Question) -> Option<bool> {
        let bound = self.0.iter().find(|it| it.is_about(&question.sum, question.is_signed))?;
        let [least, most] = question.within;
        let inside = match () {
            () if bound.least >= least && bound.most <= most => true,
            () if bound.least > most || bound.most < least => false,
            () => return None,
        };
        Some(inside != question.negated)
    }

    /// Records an answer.
    pub(crate) fn note(&mut self, question: &Question, answer: bool) {
        let at = self
            .0
            .iter()
            .position(|it| it.is_about(&question.sum, question.is_signed))
            .unwrap_or_else(|| {
                let (sum, is_signed) = (question.sum.clone(), question.is_signed);
                self.0.push(Bound { sum, is_signed, least: LEAST, most: MOST });
                self.0.len() - 1
            });
        let bound = &mut self.0[at];
        let [least, most] = question.within;
        if answer != question.negated {
            (bound.least, bound.most) = (bound.least.max(least), bound.most.min(most));
        } else if least <= bound.least {
            bound.least = bound.least.max(most.saturating_add(1).min(MOST));
        } else if most >= bound.most {
            bound.most = bound.most.min(least - 1);
        }
    }

    /// The bounds of sums with this symbol, in terms of the next iteration, in which the symbol is larger by one.
    pub(crate) fn in_next_round(&self, round: Symbol) -> Self {
        let moved = self.0.iter().filter_map(|bound| {
            let (_, by) = bound.sum.iter().find(|(symbol, _)| *symbol == round)?;
            let by = i128::from(*by);
            let least = if bound.least == LEAST { LEAST } else { bound.least + by };
            let most = if bound.most == MOST { MOST } else { bound.most + by };
            Some(Bound { least, most, ..bound.clone() })
        });
        Self(moved.collect())
    }

    /// Whether these bounds are at least as narrow as others.
    pub(crate) fn imply(&self, others: &Self) -> bool {
        others.0.iter().all(|other| {
            let own = self.0.iter().find(|it| it.is_about(&other.sum, other.is_signed));
            own.is_some_and(|own| own.least >= other.least && own.most <= other.most)
        })
    }

    /// Whether the bounds hold in the first iteration for all values of the other symbols, which are not negative.
    pub(crate) fn hold_at_first(&self, round: Symbol) -> bool {
        let holds = |bound: &Bound| {
            let others = || bound.sum.iter().filter(|(symbol, _)| *symbol != round);
            let (rises, falls) = (others().any(|(_, by)| *by > 0), others().any(|(_, by)| *by < 0));
            let least = bound.least == LEAST || !falls && bound.least <= 0;
            let most = bound.most == MOST || !rises && bound.most >= 0;
            least && most
        };
        !self.0.is_empty() && self.0.iter().all(holds)
    }
}

impl Bound {
    fn is_about(&self, sum: &[(Symbol, i64)], is_signed: bool) -> bool {
        self.sum == sum && self.is_signed == is_signed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Lanes;

    /// A number with a factor of a symbol.
    fn number(bits: u64, symbol: Symbol) -> Value {
        let mut value = Value::int(bits);
        value.set_slope(symbol, Slope::Linear(Lanes::One(1)));
        value
    }

    #[test]
    fn no_next_round_ends_the_loop() {
        let (round, count) = (|at| number(at, 1), number(9, 0));
        let asks =
            |how, at| Question::of(how, 32, [&round(at), &count]).expect("the sum is linear");
        for (answer, next) in [(true, true), (false, false)] {
            let mut facts = Facts::default();
            assert_eq!(facts.answer(&asks(Comparison::Slt, 6)), None);
            facts.note(&asks(Comparison::Slt, 6), answer);
            assert_eq!(facts.answer(&asks(Comparison::Slt, 6)), Some(next));
            assert_eq!(facts.answer(&asks(Comparison::Sge, 6)), Some(!next));
            assert_eq!(facts.answer(&asks(Comparison::Ult, 6)), None);
            assert_eq!(facts.answer(&asks(Comparison::Slt, 5)), answer.then_some(true));
            assert_eq!(facts.answer(&asks(Comparison::Slt, 7)), (!answer).then_some(false));
        }
    }

    #[test]
    fn two_answers_leave_one_number() {
        let (round, count) = (|at| number(at, 1), number(9, 0));
        let asks =
            |how, at| Question::of(how, 32, [&round(at), &count]).expect("the sum is linear");
        let mut facts = Facts::default();
        facts.note(&asks(Comparison::Slt, 5), true);
        facts.note(&asks(Comparison::Slt, 6), false);
        assert_eq!(facts.answer(&asks(Comparison::Eq, 6)), Some(true));
        assert_eq!(facts.answer(&asks(Comparison::Ne, 6)), Some(false));
        assert_eq!(facts.answer(&asks(Comparison::Eq, 7)), Some(false));
    }

    #[test]
    fn the_order_of_the_numbers_does_not_matter() {
        let (round, count) = (number(5, 1), number(9, 0));
        let mut facts = Facts::default();
        facts.note(&Question::of(Comparison::Slt, 32, [&round, &count]).expect("linear"), true);
        let other = Question::of(Comparison::Sgt, 32, [&count, &round]).expect("linear");
        assert_eq!(facts.answer(&other), Some(true));
    }
}
