//! The possible values that satisfy a set of comparisons with numbers.

use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Fact;

/// How a value is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Order {
    /// The comparison that an operator spells.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            _ => return None,
        })
    }

    /// The comparison with its operands exchanged.
    pub(crate) const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }

    /// The negated comparison, for comparable numbers.
    const fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
        }
    }
}

/// Whether some value gives the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Possible {
    Yes,
    No,
    /// Only fractions or NaN do, and no integer.
    Maybe,
}

/// The numbers consistent with the answers, doubled: odd ones lie between integers.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    least: i128,
    most: i128,
    without: OrderedSet<i128>,
    /// Whether NaN also gives these answers.
    no_number: bool,
}

impl Default for Left {
    fn default() -> Self {
        Self { least: -FAR, most: FAR, without: OrderedSet::new(), no_number: true }
    }
}

/// Larger than any number.
const FAR: i128 = 1 << 80;

impl Left {
    /// Adds an answer to a comparison with a number.
    pub(crate) fn take(&mut self, order: Order, number: i64, yes: bool) {
        self.no_number &= yes == (order == Order::NotEqual);
        let at = 2 * i128::from(number);
        match if yes { order } else { order.negated() } {
            Order::Less => self.most = self.most.min(at - 1),
            Order::LessOrEqual => self.most = self.most.min(at),
            Order::Greater => self.least = self.least.max(at + 1),
            Order::GreaterOrEqual => self.least = self.least.max(at),
            Order::Equal => {
                self.least = self.least.max(at);
                self.most = self.most.min(at);
            }
            Order::NotEqual => drop(self.without.insert(at)),
        }
    }

    /// The condition on a datum that is this value.
    pub(crate) fn fact(&self, datum: u32) -> Fact {
        let number = |at: i128| at.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Fact {
            datum,
            least: number(self.least),
            most: number(self.most),
            without: self.without.iter().next().map(|&at| number(at)),
            no_number: self.no_number,
        }
    }

    /// Whether an integer remains possible.
    pub(crate) fn holds(&self, number: i128) -> bool {
        (self.least..=self.most).contains(&(2 * number)) && !self.without.contains(&(2 * number))
    }

    /// Restricts the values to integers between two limits.
    pub(crate) fn within(mut self, least: i128, most: i128) -> Self {
        self.least = self.least.max(2 * least);
        self.most = self.most.min(2 * most);
        self.no_number = false;
        self
    }

    pub(crate) fn possible(&self) -> Possible {
        let (mut whole, mut some) = (false, false);
        // Among more candidates than there are exclusions, one remains.
        let last = self.most.min(self.least.saturating_add(2 * self.without.len() as i128 + 3));
        let mut at = self.least;
        while at <= last {
            // There are many fractions between two integers.
            if at % 2 != 0 {
                some = true;
            } else if !self.without.contains(&at) {
                whole = true;
            }
            at += 1;
        }
        match (whole, some || self.no_number) {
            (true, _) => Possible::Yes,
            (false, true) => Possible::Maybe,
            (false, false) => Possible::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The possibility of these answers to these comparisons.
    fn possible(answers: &[(&str, i64, bool)]) -> Possible {
        let mut left = Left::default();
        for &(word, number, yes) in answers {
            left.take(Order::of(word).unwrap(), number, yes);
        }
        left.possible()
    }

    #[test]
    fn answers_are_possible_if_a_number_gives_them() {
        assert_eq!(possible(&[]), Possible::Yes);
        assert_eq!(possible(&[(">", 5, true), (">", 3, true), ("==", 6, false)]), Possible::Yes);
        assert_eq!(possible(&[(">", 5, true), (">", 3, false)]), Possible::No);
        assert_eq!(possible(&[("==", 1, true), ("==", 2, true)]), Possible::No);
        assert_eq!(possible(&[("==", 1, false), ("==", 2, false)]), Possible::Yes);
        assert_eq!(possible(&[(">=", 0, true), ("<=", 0, true), ("!=", 0, true)]), Possible::No);
        assert_eq!(possible(&[("<", i64::MIN, false), (">", i64::MAX, false)]), Possible::Yes);
    }

    #[test]
    fn answers_of_fractions_and_nan_are_maybe() {
        assert_eq!(possible(&[(">", 3, true), ("<", 4, true)]), Possible::Maybe);
        assert_eq!(possible(&[(">", 0, false), ("<=", 0, false)]), Possible::Maybe);
    }

    #[test]
    fn answers_agree_with_every_number() {
        let words = ["<", "<=", ">", ">=", "==", "!="];
        let holds = |word: &str, value: i64, number: i64| match word {
            "<" => value < number,
            "<=" => value <= number,
            ">" => value > number,
            ">=" => value >= number,
            "==" => value == number,
            _ => value != number,
        };
        for case in 0..6 * 6 * 6 * 8_usize {
            let answers = [0, 1, 2].map(|at: u32| {
                let word = words[case / 6_usize.pow(at) % 6];
                (word, i64::from(at), ((case / 216) >> at) & 1 == 1)
            });
            let gives = |value: i64| {
                answers.iter().all(|&(word, number, yes)| holds(word, value, number) == yes)
            };
            let some = (-3..6).any(gives);
            assert_eq!(possible(&answers) == Possible::Yes, some, "{answers:?}");
        }
    }

    #[test]
    fn sides_are_exchanged() {
        let one = |word: &str| Order::of(word).map(Order::mirrored);
        assert_eq!(one("<"), Order::of(">"));
        assert_eq!(one("<="), Order::of(">="));
        assert_eq!(one("=="), Order::of("=="));
    }
}
