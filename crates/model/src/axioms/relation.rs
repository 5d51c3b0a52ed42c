//! Relations over at most 128 operations, as bit matrices.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// Largest number of operations of an execution.
pub const MAX_EVENTS: usize = 128;

/// A set of operations, by index.
pub type Events = u128;

/// The set of one operation; empty if the index is out of range.
#[must_use]
pub const fn one(event: usize) -> Events {
    if event < MAX_EVENTS { 1 << event } else { 0 }
}

/// The operations of a set in ascending order.
pub fn each(mut set: Events) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        let event = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            event
        })
    })
}

/// A relation: for each operation, the set of operations that it is related to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    rows: Vec<Events>,
}

impl Relation {
    /// The empty relation over `count` operations.
    #[must_use]
    pub fn empty(count: usize) -> Self {
        Self { rows: alloc::vec![0; count] }
    }

    /// The relation of all pairs that pass a test.
    #[must_use]
    pub fn of(count: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let row = |from| (0..count).filter(|&to| holds(from, to)).fold(0, |set, to| set | one(to));
        Self { rows: (0..count).map(row).collect() }
    }

    /// Number of operations.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Adds an edge.
    pub fn add(&mut self, from: usize, to: usize) {
        self.rows[from] |= one(to);
    }

    /// Whether there is an edge.
    #[must_use]
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.rows.get(from).is_some_and(|row| row & one(to) != 0)
    }

    /// The operations that an operation is related to.
    #[must_use]
    pub fn from(&self, from: usize) -> Events {
        self.rows.get(from).copied().unwrap_or_default()
    }

    /// All edges in order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.rows.iter().enumerate().flat_map(|(from, &row)| each(row).map(move |to| (from, to)))
    }

    /// The edges of both.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, more)| *row |= more);
        self
    }

    /// The inverse relation.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::empty(self.rows.len());
        self.edges().for_each(|(from, to)| inverse.add(to, from));
        inverse
    }

    /// The transitive closure.
    #[must_use]
    pub fn closure(mut self) -> Self {
        for middle in 0..self.rows.len() {
            let reached = self.rows[middle];
            for row in &mut self.rows {
                *row |= if *row & one(middle) != 0 { reached } else { 0 };
            }
        }
        self
    }

    /// Adds an edge to a transitive relation, and the edges that keep it transitive.
    pub fn add_closed(&mut self, from: usize, to: usize) {
        if self.has(from, to) {
            return;
        }
        let reached = self.rows[to] | one(to);
        for (index, row) in self.rows.iter_mut().enumerate() {
            *row |= if index == from || *row & one(from) != 0 { reached } else { 0 };
        }
    }

    /// Whether no operation is related to itself; for a transitive relation, whether it has no cycle.
    #[must_use]
    pub fn is_irreflexive(&self) -> bool {
        (0..self.rows.len()).all(|event| !self.has(event, event))
    }

    /// The transitive reduction if the relation is acyclic; otherwise the relation without edges on cycles.
    #[must_use]
    pub fn reduction(&self) -> Self {
        let closed = self.clone().closure();
        let needless = |from: usize, to: usize| {
            each(closed.from(from) & !one(to)).any(|by| by != from && closed.has(by, to))
        };
        Self::of(self.rows.len(), |from, to| {
            from != to && self.has(from, to) && !needless(from, to)
        })
    }

    /// A shortest path along edges; `None` if there is none.
    #[must_use]
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut before = alloc::vec![None; self.rows.len()];
        let mut waiting = VecDeque::from([from]);
        while let Some(at) = waiting.pop_front() {
            for next in each(self.from(at)) {
                if before[next].is_none() {
                    before[next] = Some(at);
                    waiting.push_back(next);
                }
                if next == to {
                    return Some(back(&before, from, to));
                }
            }
        }
        None
    }
}

fn back(before: &[Option<usize>], from: usize, to: usize) -> Vec<usize> {
    let mut path = alloc::vec![to];
    let mut at = to;
    while let Some(previous) = before[at] {
        path.push(previous);
        at = previous;
        if at == from {
            break;
        }
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Relation {
        let mut chain = Relation::empty(4);
        (0..3).for_each(|index| chain.add(index, index + 1));
        chain
    }

    #[test]
    fn a_chain_closes_to_its_order_and_a_cycle_to_everything() {
        let mut chain = chain();
        let order = chain.clone().closure();
        assert!((0..4).all(|a| (0..4).all(|b| order.has(a, b) == (a < b))));
        assert!(order.is_irreflexive());
        chain.add(3, 0);
        let cycle = chain.closure();
        assert!(!cycle.is_irreflexive());
        assert!((0..4).all(|a| cycle.from(a) == 0b1111));
    }

    #[test]
    fn an_order_reduces_to_its_chain_and_closes_again() {
        let order = chain().closure();
        assert_eq!(order.reduction(), chain());
        assert_eq!(order.reduction().closure(), order);
    }

    #[test]
    fn edges_are_added_to_a_closed_relation() {
        let mut one_by_one = Relation::empty(4);
        for (from, to) in [(2, 3), (0, 1), (1, 2)] {
            one_by_one.add_closed(from, to);
        }
        assert_eq!(one_by_one, chain().closure());
    }

    #[test]
    fn paths_are_shortest_and_return_to_the_start_of_a_cycle() {
        let mut cycle = chain();
        cycle.add(3, 0);
        cycle.add(0, 2);
        assert_eq!(cycle.path(0, 3), Some(alloc::vec![0, 2, 3]));
        assert_eq!(cycle.path(0, 0), Some(alloc::vec![0, 2, 3, 0]));
        assert_eq!(chain().path(3, 0), None);
    }

    #[test]
    fn the_inverse_of_the_inverse_is_the_relation() {
        assert_eq!(chain().inverse().inverse(), chain());
        assert!(chain().inverse().has(1, 0));
    }
}
