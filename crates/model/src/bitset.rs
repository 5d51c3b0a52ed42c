//! Sets of small numbers, one bit each.

use crate::leb128::{put, take};
use alloc::vec::Vec;

/// A set of numbers. Its last word is not zero, so equal sets have equal words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// Adds a number.
    pub fn insert(&mut self, member: usize) {
        if self.0.len() <= member / 64 {
            self.0.resize(member / 64 + 1, 0);
        }
        self.0[member / 64] |= 1 << (member % 64);
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn contains(&self, member: usize) -> bool {
        self.word(member / 64) >> (member % 64) & 1 == 1
    }

    /// Whether two sets have a number in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// Adds the numbers of another set; returns whether it grew.
    pub fn add(&mut self, more: &Self) -> bool {
        if self.0.len() < more.0.len() {
            self.0.resize(more.0.len(), 0);
        }
        self.0.iter_mut().zip(&more.0).fold(false, |grown, (word, more)| {
            let new = more & !*word;
            *word |= new;
            grown || new != 0
        })
    }

    /// Adds the numbers that two sets have in common.
    pub fn add_common(&mut self, one: &Self, other: &Self) {
        let common = |at: usize| one.word(at) & other.word(at);
        let len = (0..one.0.len()).rev().find(|&at| common(at) != 0).map_or(0, |last| last + 1);
        if self.0.len() < len {
            self.0.resize(len, 0);
        }
        self.0[..len].iter_mut().enumerate().for_each(|(at, word)| *word |= common(at));
    }

    /// Its numbers, the smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        })
    }

    /// Whether a condition holds for a number that is not in another set; the largest are tried first.
    pub fn any_except(&self, except: &Self, condition: impl Fn(usize) -> bool) -> bool {
        self.0.iter().enumerate().rev().any(|(at, word)| {
            let mut open = word & !except.word(at);
            while open != 0 {
                let bit = open.ilog2();
                if condition(64 * at + bit as usize) {
                    return true;
                }
                open &= !(1 << bit);
            }
            false
        })
    }

    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn pack(&self, out: &mut Vec<u8>) {
        put(out, self.0.len() as u64);
        self.0.iter().for_each(|&word| put(out, word));
    }

    pub(crate) fn unpack(rest: &mut &[u8]) -> Self {
        Self((0..take(rest)).map(|_| take(rest)).collect())
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<T: IntoIterator<Item = usize>>(members: T) -> Self {
        let mut set = Self::default();
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use core::cell::RefCell;

    #[test]
    fn sets_behave_like_ordered_sets() {
        let lists: [&[usize]; 5] = [&[], &[0], &[63, 64], &[1, 64, 200], &[0, 63, 128, 200, 255]];
        for one in lists {
            for other in lists {
                let [mut set, with] = [one, other].map(|it| it.iter().copied().collect::<BitSet>());
                let [plain, with_plain] =
                    [one, other].map(|it| it.iter().copied().collect::<BTreeSet<usize>>());
                assert_eq!(set.intersects(&with), !plain.is_disjoint(&with_plain));
                let tried = RefCell::new(Vec::new());
                let notes = |member| {
                    tried.borrow_mut().push(member);
                    false
                };
                assert!(!set.any_except(&with, notes));
                let except = plain.iter().rev().filter(|it| !with_plain.contains(it));
                assert!(tried.borrow().iter().eq(except));
                let mut common = BitSet::default();
                common.add_common(&set, &with);
                assert_eq!(common, plain.intersection(&with_plain).copied().collect());
                let mut bytes = Vec::new();
                set.pack(&mut bytes);
                assert_eq!(BitSet::unpack(&mut bytes.as_slice()), set);
                assert_eq!(set.add(&with), !with_plain.is_subset(&plain));
                assert!(set.iter().eq(plain.union(&with_plain).copied()));
                assert!((0..300).all(
                    |it| set.contains(it) == (plain.contains(&it) || with_plain.contains(&it))
                ));
            }
        }
    }
}
