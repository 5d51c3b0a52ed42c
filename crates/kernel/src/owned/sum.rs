//! Sums of products of numbers.

use crate::ir::{ArgumentId, BlockId, ObjectId, Reg, Special};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// The maximum number of products of a sum.
const MOST_PRODUCTS: usize = 32;
/// The maximum number of factors of a product.
const MOST_FACTORS: usize = 4;
/// The maximum magnitude of a factor: addresses have 64 bits.
const MOST: i128 = 1 << 64;

/// A number that sums and products consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A value that the launch gives.
    Special(Special),
    /// An argument of the kernel.
    Argument(ArgumentId),
    /// The address of an object.
    Object(ObjectId),
    /// The number of completed iterations of the loop with this header.
    Round(BlockId),
    /// A remainder of a division by a power of two, by its number.
    Rest(u32),
    /// The result of another operation, by its number.
    Result(u32),
    /// The value of a register in the first iteration of the loop at whose header it receives its values.
    First(Reg),
    /// The value of a register.
    Register(Reg),
}

/// A sum of products, each with a constant factor.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum(OrderedMap<Vec<Atom>, i128>);

impl Sum {
    pub(super) fn int(value: i128) -> Self {
        let mut sum = Self::default();
        sum.add(Vec::new(), value);
        sum
    }

    pub(super) fn atom(atom: Atom) -> Self {
        let mut sum = Self::default();
        sum.add(alloc::vec![atom], 1);
        sum
    }

    fn add(&mut self, product: Vec<Atom>, factor: i128) {
        let known = self.0.entry(product.clone()).or_insert(0);
        *known = known.saturating_add(factor);
        if *known == 0 {
            self.0.remove(&product);
        }
    }

    /// The products with their factors; a constant is an empty product.
    pub(super) fn products(&self) -> impl DoubleEndedIterator<Item = (&[Atom], i128)> {
        self.0.iter().map(|(product, &factor)| (&product[..], factor))
    }

    /// All atoms, possibly with duplicates.
    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.keys().flatten().copied()
    }

    /// The sum of this and `factor` times another one.
    pub(super) fn plus(&self, other: &Self, factor: i128) -> Self {
        let mut sum = self.clone();
        for (product, by) in &other.0 {
            sum.add(product.clone(), by.saturating_mul(factor));
        }
        sum
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(other, -1)
    }

    pub(super) fn offset(&self, by: i128) -> Self {
        self.plus(&Self::int(by), 1)
    }

    pub(super) fn scaled(&self, by: i128) -> Self {
        Self::default().plus(self, by)
    }

    /// The product of two sums; `None` if it is too large.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (one, by) in &self.0 {
            for (two, times) in &other.0 {
                let mut product: Vec<Atom> = one.iter().chain(two).copied().collect();
                product.sort_unstable();
                sum.add(product, by.checked_mul(*times)?);
            }
        }
        sum.is_small().then_some(sum)
    }

    /// Whether it has few products with few factors of a moderate size.
    pub(super) fn is_small(&self) -> bool {
        self.0.len() <= MOST_PRODUCTS
            && self.0.iter().all(|(product, factor)| {
                product.len() <= MOST_FACTORS && (-MOST..=MOST).contains(factor)
            })
    }

    pub(super) fn constant(&self) -> i128 {
        self.factor(&[])
    }

    /// The factor of a product.
    pub(super) fn factor(&self, product: &[Atom]) -> i128 {
        self.0.get(product).copied().unwrap_or(0)
    }

    /// The value, if it has no atoms.
    pub(super) fn number(&self) -> Option<i128> {
        self.0.keys().all(Vec::is_empty).then(|| self.constant())
    }

    /// The sum with another sum instead of an atom; `None` if it is too large.
    pub(super) fn with(&self, atom: Atom, instead: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (product, &factor) in &self.0 {
            let mut one = Self::int(factor);
            for &of in product {
                one = one.times(&if of == atom { instead.clone() } else { Self::atom(of) })?;
            }
            sum = sum.plus(&one, 1);
        }
        sum.is_small().then_some(sum)
    }

    /// Its parts `quotient` and `rest`, where it is `quotient` times an atom plus `rest`, and `rest` does not contain the atom.
    pub(super) fn split(&self, atom: Atom) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for (product, &factor) in &self.0 {
            match product.iter().position(|&one| one == atom) {
                Some(at) => {
                    let mut others = product.clone();
                    others.remove(at);
                    quotient.add(others, factor);
                }
                None => rest.add(product.clone(), factor),
            }
        }
        (quotient, rest)
    }

    /// The sum of the products for which `of` holds, and the sum of the others.
    pub(super) fn parts(&self, of: impl Fn(&[Atom]) -> bool) -> (Self, Self) {
        let (mut yes, mut no) = (Self::default(), Self::default());
        for (product, &factor) in &self.0 {
            let part = if of(product) { &mut yes } else { &mut no };
            part.add(product.clone(), factor);
        }
        (yes, no)
    }

    /// The sum divided by a number that divides all its factors.
    pub(super) fn divided(&self, by: i128) -> Self {
        let mut sum = Self::default();
        for (product, &factor) in &self.0 {
            sum.add(product.clone(), factor.div_euclid(by));
        }
        sum
    }

    /// The greatest common divisor of its factors, 0 without any.
    pub(super) fn divisor(&self) -> i128 {
        self.0.values().fold(0, |divisor, &factor| common_divisor(divisor, factor))
    }
}

/// The greatest common divisor.
pub(super) const fn common_divisor(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.saturating_abs(), other.saturating_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_split_at_a_factor() {
        let [x, w, y] = [0, 1, 2].map(|number| Sum::atom(Atom::Argument(number)));
        let index = y.times(&w).map(|row| row.plus(&x, 3).offset(5)).unwrap_or_default();
        let (row, rest) = index.split(Atom::Argument(1));
        assert_eq!((row, rest), (y, x.scaled(3).offset(5)));
    }

    #[test]
    fn products_of_sums_are_sums_of_products() {
        let [a, b] = [0, 1].map(|number| Sum::atom(Atom::Argument(number)));
        let square = a.plus(&b, -1).times(&a.plus(&b, 1)).unwrap_or_default();
        let expected = [a.clone(), b.clone()].map(|one| one.times(&one).unwrap_or_default());
        assert_eq!(square, expected[0].minus(&expected[1]));
        assert_eq!(square.minus(&square).number(), Some(0));
    }

    #[test]
    fn divisors_ignore_signs() {
        let sum = Sum::atom(Atom::Argument(0)).scaled(-12).offset(8);
        assert_eq!((sum.divisor(), sum.divided(4).constant()), (4, 2));
    }
}
