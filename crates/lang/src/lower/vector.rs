//! Vectors and arrays: their variables, and the names of components.

use crate::expression::types::Type;
use alloc::vec::Vec;

/// The variables of a vector or an array.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) first: u16,
    pub(super) count: u16,
    /// Components of an element.
    pub(super) width: u16,
    /// Elements in each dimension; empty for a vector.
    pub(super) sizes: Vec<i64>,
    pub(super) of: Type,
}

impl Parts {
    pub(super) fn slots(&self) -> core::ops::Range<u16> {
        self.first..self.first + self.count
    }
}

/// The components of a vector that a name such as `x`, `s0`, `lo` or `xyz` selects, in order.
pub(super) fn components(word: &str, count: u32) -> Option<Vec<u32>> {
    let half = count.next_power_of_two() / 2;
    let all = 0..count;
    let named: Vec<u32> = match word {
        "lo" => (0..half).collect(),
        "hi" => (half..count).collect(),
        "even" => all.step_by(2).collect(),
        "odd" => all.skip(1).step_by(2).collect(),
        _ => match word.strip_prefix(['s', 'S']) {
            Some(digits) => digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?,
            None => {
                let place = |c| "xyzw".find(c).map(|at| at as u32);
                word.chars().map(place).collect::<Option<_>>()?
            }
        },
    };
    let fits = !named.is_empty() && named.iter().all(|&at| at < count);
    fits.then_some(named)
}
