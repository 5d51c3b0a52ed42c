//! Ordered maps and sets for small collections: sorted vectors.
//!
//! Each pair of types in a `BTreeMap` costs about three kilobytes of wasm; sixty of them were 6 % of the page's engine.
//! A sorted vector costs a tenth of that and iterates in the same order. An insertion takes O(n) moves, so collections
//! that grow with the input beyond some thousands of entries stay B-trees.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::fmt;
use core::ops::{Bound, Index, RangeBounds};
use core::slice;

/// A map whose keys are sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for OrderedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> OrderedMap<K, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The entries by ascending key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys, ascending.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values by ascending key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values by ascending key, mutable.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The keys, ascending.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> {
        self.0.into_iter().map(|(key, _)| key)
    }

    /// The values by ascending key.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// Removes the entry with the least key and returns it.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.is_empty()).then(|| self.0.remove(0))
    }

    /// Keeps the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> OrderedMap<K, V> {
    /// The index of a key, or its insertion index.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, mutable.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Whether the map has a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of a key and returns its previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(core::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    /// The entry of a key, present or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { place: self.place(&key), map: self, key }
    }

    /// The entries whose keys are in a range.
    pub fn range(
        &self,
        range: impl RangeBounds<K>,
    ) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.0[between(&self.0, &range, |(key, _)| key)].iter().map(|(key, value)| (key, value))
    }
}

/// The indices of the keys in a range.
fn between<T, K: Ord>(
    sorted: &[T],
    range: &impl RangeBounds<K>,
    key: impl Fn(&T) -> &K,
) -> core::ops::Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(first) => sorted.partition_point(|item| key(item) < first),
        Bound::Excluded(before) => sorted.partition_point(|item| key(item) <= before),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => sorted.partition_point(|item| key(item) <= last),
        Bound::Excluded(after) => sorted.partition_point(|item| key(item) < after),
        Bound::Unbounded => sorted.len(),
    };
    start..end.max(start)
}

/// An entry of a map, see [`OrderedMap::entry`].
pub struct Entry<'m, K, V> {
    map: &'m mut OrderedMap<K, V>,
    key: K,
    place: Result<usize, usize>,
}

impl<'m, K, V> Entry<'m, K, V> {
    /// The value; `make` creates it if the key is new.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'m mut V {
        let at = match self.place {
            Ok(at) => at,
            Err(at) => {
                self.map.0.insert(at, (self.key, make()));
                at
            }
        };
        &mut self.map.0[at].1
    }

    /// The value, which is `value` if the key is new.
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    /// The value, which is the default if the key is new.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if the key is present.
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.place {
            change(&mut self.map.0[at].1);
        }
        self
    }
}

impl<K: Ord, V> Extend<(K, V)> for OrderedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries: Vec<(K, V)> = entries.into_iter().collect();
        if entries.is_sorted_by(|(one, _), (other, _)| one < other) {
            return Self(entries);
        }
        // Inserted one by one: a sort for each pair of types is as long as the rest of the map.
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for OrderedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for OrderedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'m, K, V> IntoIterator for &'m OrderedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = core::iter::Map<slice::Iter<'m, (K, V)>, fn(&'m (K, V)) -> (&'m K, &'m V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<'m, K, V> IntoIterator for &'m mut OrderedMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter =
        core::iter::Map<slice::IterMut<'m, (K, V)>, fn(&'m mut (K, V)) -> (&'m K, &'m mut V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for OrderedMap<K, V> {
    type Output = V;

    /// The value of a key that is present.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is present")
    }
}

/// A set whose elements are sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderedSet<T>(Vec<T>);

impl<T> Default for OrderedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OrderedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

impl<T> OrderedSet<T> {
    /// A set without elements.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The elements, ascending.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The least element.
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }

    /// The greatest element.
    pub fn last(&self) -> Option<&T> {
        self.0.last()
    }

    /// Keeps the elements for which `keep` returns true.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Removes the least element and returns it.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }
}

impl<T: Ord> OrderedSet<T> {
    fn place<Q: Ord + ?Sized>(&self, value: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|other| other.borrow().cmp(value))
    }

    /// Whether an element is present.
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.place(value).is_ok()
    }

    /// Adds an element and returns whether it is new.
    pub fn insert(&mut self, value: T) -> bool {
        match self.place(&value) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, value);
                true
            }
        }
    }

    /// Removes an element and returns whether it was present.
    pub fn remove<Q: Ord + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.place(value).map(|at| self.0.remove(at)).is_ok()
    }

    /// The elements that `other` does not have, ascending.
    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        self.0.iter().filter(|value| !other.contains(*value))
    }

    /// The elements of either set, ascending.
    pub fn union<'s>(&'s self, other: &'s Self) -> vec::IntoIter<&'s T> {
        let mut all: Vec<&T> = self.0.iter().chain(&other.0).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// The elements that one of the sets has and the other does not, ascending.
    pub fn symmetric_difference<'s>(&'s self, other: &'s Self) -> vec::IntoIter<&'s T> {
        let mut all: Vec<&T> = self.difference(other).chain(other.difference(self)).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Whether the sets have no element in common.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.0.iter().any(|value| other.contains(value))
    }

    /// Whether `other` has all elements.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().all(|value| other.contains(value))
    }

    /// The elements in a range, ascending.
    pub fn range(&self, range: impl RangeBounds<T>) -> slice::Iter<'_, T> {
        self.0[between(&self.0, &range, |value| value)].iter()
    }
}

impl<T: Ord> Extend<T> for OrderedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<'t, T: Ord + Copy + 't> Extend<&'t T> for OrderedSet<T> {
    fn extend<I: IntoIterator<Item = &'t T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for OrderedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values: Vec<T> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        Self(values)
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for OrderedSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T> IntoIterator for OrderedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'s, T> IntoIterator for &'s OrderedSet<T> {
    type Item = &'s T;
    type IntoIter = slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::{BTreeMap, BTreeSet};

    /// Small numbers in an arbitrary order that depends on `seed`.
    fn numbers(seed: u32) -> impl Iterator<Item = u8> + Clone {
        let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        core::iter::successors(Some(seed), next).skip(1).map(|state| (state >> 24) as u8 % 12)
    }

    #[test]
    fn a_map_behaves_as_a_tree() {
        for seed in 0..2000 {
            let [a, b] = [0, 1].map(|at| numbers(seed).nth(at).expect("the numbers do not end"));
            let entries = numbers(!seed).zip(numbers(seed ^ 77)).take(seed as usize % 24);
            let mut ours: OrderedMap<u8, u8> = entries.clone().collect();
            let mut tree: BTreeMap<u8, u8> = entries.clone().collect();
            assert!(ours.iter().eq(tree.iter()));
            assert_eq!(ours.insert(a, 1), tree.insert(a, 1));
            *ours.entry(b).and_modify(|it| *it += 1).or_insert(3) += 1;
            *tree.entry(b).and_modify(|it| *it += 1).or_insert(3) += 1;
            assert_eq!(ours.get(&a), tree.get(&a));
            assert_eq!(ours.contains_key(&b), tree.contains_key(&b));
            let (low, high) = (a.min(b), a.max(b));
            assert!(ours.range(low..=high).eq(tree.range(low..=high)));
            assert!(ours.range(..high).eq(tree.range(..high)));
            assert!(ours.range(low..).eq(tree.range(low..)));
            assert_eq!(ours.remove(&a), tree.remove(&a));
            ours.extend(entries.clone());
            tree.extend(entries);
            ours.retain(|key, value| (*key + *value) % 3 > 0);
            tree.retain(|key, value| (*key + *value) % 3 > 0);
            assert!(ours.keys().eq(tree.keys()) && ours.values().eq(tree.values()));
            assert!(ours.into_iter().eq(tree));
        }
    }

    #[test]
    fn a_set_behaves_as_a_tree() {
        for seed in 0..2000 {
            let a = numbers(seed).next().expect("the numbers do not end");
            let one = numbers(!seed).take(seed as usize % 16);
            let two = numbers(seed ^ 77).take(seed as usize % 13);
            let mut ours: OrderedSet<u8> = one.clone().collect();
            let mut tree: BTreeSet<u8> = one.collect();
            let other: OrderedSet<u8> = two.clone().collect();
            let other_tree: BTreeSet<u8> = two.collect();
            assert!(ours.union(&other).eq(tree.union(&other_tree)));
            assert!(ours.difference(&other).eq(tree.difference(&other_tree)));
            let [both, both_tree] = [
                ours.symmetric_difference(&other).count(),
                tree.symmetric_difference(&other_tree).count(),
            ];
            assert_eq!(both, both_tree);
            assert_eq!(ours.is_disjoint(&other), tree.is_disjoint(&other_tree));
            assert_eq!(ours.is_subset(&other), tree.is_subset(&other_tree));
            assert_eq!(ours.insert(a), tree.insert(a));
            assert!(ours.range(a..).eq(tree.range(a..)));
            assert_eq!(ours.pop_first(), tree.pop_first());
            assert_eq!(ours.remove(&a), tree.remove(&a));
            assert_eq!((ours.first(), ours.last()), (tree.first(), tree.last()));
            assert!(ours.into_iter().eq(tree));
        }
    }
}
