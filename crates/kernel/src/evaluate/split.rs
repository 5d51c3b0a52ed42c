//! Arguments that are divided, such as the length of a row by the size of a tile.
//!
//! If a loop ends at a quotient `n / 64`, the remainder rarely matters. So `n` is then evaluated as two numbers that the host
//! chooses, `64 * q + r` with `0 <= r < 64`. A division limits the remainder to values with the same quotient, as a comparison
//! does. All of these are one case, and one proof covers them.

use crate::ir::Argument;
use crate::value::{Lanes, Slope, Symbol, Value, ones};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// The maximum number of arguments that are split.
#[cfg(feature = "proofs")]
const MOST_SPLIT: usize = 4;

/// For each argument that is divided by powers of two, the exponents of the divisors, one bit each.
pub(crate) type Quotients = OrderedMap<Symbol, u32>;

/// The arguments that are evaluated as a quotient and a remainder, each with the exponent of its divisor. A list of values has
/// the quotient where the argument was, and the remainders after all arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Split(Parts);

#[cfg(feature = "proofs")]
type Parts = Vec<(usize, u8)>;
/// The page has no room for the code.
#[cfg(not(feature = "proofs"))]
type Parts = [(usize, u8); 0];

impl Split {
    /// The splits that may help: the first of the chosen arguments, one bit each, by their smallest and by their largest
    /// divisors. Some divisions only move bits to another word.
    #[cfg(feature = "proofs")]
    pub(super) fn all(quotients: &Quotients, chosen: u128) -> Vec<Self> {
        let chosen = |(at, _): &(&Symbol, &u32)| **at < 128 && chosen >> **at & 1 == 1;
        let by = |bits: fn(u32) -> u32| {
            let all = quotients.iter().filter(chosen);
            Self(all.map(|(&at, &all)| (at.into(), bits(all) as u8)).take(MOST_SPLIT).collect())
        };
        let mut all = alloc::vec![by(u32::trailing_zeros), by(u32::ilog2)];
        all.dedup();
        all.retain(|one| !one.0.is_empty());
        all
    }

    /// Whether no argument is split.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The exponent of the divisor of an argument and the index of its remainder; `None` if the argument is whole.
    pub(super) fn parts(&self, at: usize, arguments: usize) -> Option<(u8, usize)> {
        let index = self.0.iter().position(|(known, _)| *known == at)?;
        Some((self.0[index].1, arguments + index))
    }

    /// The maximum of each remainder.
    pub(super) fn remainders(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().map(|(_, bits)| (1 << bits) - 1)
    }

    /// The argument of a symbol, which may be a remainder.
    pub(super) fn argument(&self, symbol: usize, arguments: usize) -> usize {
        symbol.checked_sub(arguments).and_then(|at| self.0.get(at)).map_or(symbol, |one| one.0)
    }

    /// The values of the arguments.
    pub(super) fn joined(&self, values: Vec<i64>, arguments: usize) -> Vec<i64> {
        if self.is_empty() {
            return values;
        }
        let one = |at: usize| match self.parts(at, arguments) {
            Some((bits, rest)) => (values[at] << bits) + values[rest],
            None => values[at],
        };
        (0..arguments.min(values.len())).map(one).collect()
    }
}

/// The value of an argument that is split, with these numbers.
pub(super) fn joined(
    argument: &Argument,
    (quotient, at): (i64, usize),
    (remainder, rest): (i64, usize),
    bits: u8,
) -> Value {
    let mut value = Value::int(((quotient << bits) + remainder) as u64 & ones(argument.width));
    value.set_slope(at as Symbol, Slope::Linear(Lanes::One(1 << bits)));
    value.set_slope(rest as Symbol, Slope::Linear(Lanes::One(1)));
    value
}

#[cfg(all(test, feature = "proofs"))]
mod tests {
    use super::*;

    #[test]
    fn values_of_arguments_are_joined_from_their_parts() {
        let split = Split(alloc::vec![(1, 6)]);
        assert_eq!(split.joined(alloc::vec![7, 3, 5], 2), [7, 197]);
        assert_eq!((split.parts(1, 2), split.parts(0, 2)), (Some((6, 2)), None));
        assert_eq!((split.argument(2, 2), split.argument(0, 2)), (1, 0));
    }
}
