//! Relations over at most 128 operations, as bit matrices.

use alloc::vec::Vec;

/// Most operations of an execution.
pub const MAX_EVENTS: usize = 128;

/// A set of operations, by index.
pub type Events = u128;

/// A relation: for each operation the set of those that it is related to.
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

    /// Adds an edge.
    pub fn add(&mut self, from: usize, to: usize) {
        self.rows[from] |= 1 << to;
    }

    /// Whether there is an edge.
    #[must_use]
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from] & 1 << to != 0
    }

    /// What an operation is related to.
    #[must_use]
    pub fn from(&self, from: usize) -> Events {
        self.rows[from]
    }

    /// The least transitive relation that contains this one.
    #[must_use]
    pub fn closure(mut self) -> Self {
        for middle in 0..self.rows.len() {
            let reached = self.rows[middle];
            for row in &mut self.rows {
                *row |= if *row & 1 << middle != 0 { reached } else { 0 };
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Relation;

    #[test]
    fn a_chain_closes_to_its_order_and_a_cycle_to_everything() {
        let mut chain = Relation::empty(4);
        (0..3).for_each(|index| chain.add(index, index + 1));
        let order = chain.clone().closure();
        assert!((0..4).all(|a| (0..4).all(|b| order.has(a, b) == (a < b))));
        chain.add(3, 0);
        let cycle = chain.closure();
        assert!((0..4).all(|a| cycle.from(a) == 0b1111));
    }
}
