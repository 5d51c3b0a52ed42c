//! The outstanding copies and marks of one wave in program order, and the copies that a wait completes.

use crate::program::NodeId;
use alloc::vec::Vec;

/// An outstanding item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A copy, by the node that started it.
    Copy(NodeId),
    /// A mark in the sequence of a function body, by the depth of its frame.
    Mark(u16),
}

/// The outstanding items of one wave.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence {
    items: Vec<Item>,
    depth: u16,
}

impl Sequence {
    /// A sequence with these items in a function body at this depth.
    #[must_use]
    pub const fn new(items: Vec<Item>, depth: u16) -> Self {
        Self { items, depth }
    }

    /// The outstanding copies and marks in program order.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Number of callers of the current body that have their own marks.
    #[must_use]
    pub const fn depth(&self) -> u16 {
        self.depth
    }

    /// Whether nothing is outstanding and no call is in progress.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.items.is_empty() && self.depth == 0
    }

    /// Starts a copy. An outstanding copy of the same node is removed, because whatever covers the new copy covers it
    /// too.
    pub fn copy(&mut self, node: NodeId) {
        self.items.retain(|item| *item != Item::Copy(node));
        self.items.push(Item::Copy(node));
    }

    /// Adds a mark. Only the last `useful` marks of this body and the one before them are kept: a wait for at most
    /// `useful` marks completes all earlier ones.
    pub fn mark(&mut self, useful: Option<u16>) {
        self.items.push(Item::Mark(self.depth));
        self.trim(useful);
    }

    /// Drops marks that no wait of this body can distinguish from later ones; `None` if no wait is ahead.
    pub fn trim(&mut self, useful: Option<u16>) {
        let most = useful.map_or(0, |useful| usize::from(useful) + 1);
        let surplus = self.marks().saturating_sub(most);
        self.drop_front(surplus);
    }

    /// Number of outstanding copies.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.items.iter().filter(|item| matches!(item, Item::Copy(_))).count()
    }

    /// Number of marks in the sequence of the current body.
    #[must_use]
    pub fn marks(&self) -> usize {
        self.items.iter().filter(|item| **item == Item::Mark(self.depth)).count()
    }

    /// Removes marks of the current body from the front; returns the position of the last one.
    fn drop_front(&mut self, count: usize) -> Option<usize> {
        let mark = Item::Mark(self.depth);
        let last = (0..self.items.len()).filter(|&at| self.items[at] == mark).take(count).last()?;
        let mut at = 0;
        self.items.retain(|item| {
            at += 1;
            *item != mark || at - 1 > last
        });
        Some(last + 1 - count)
    }

    /// Waits until at most `most` marks of the current body are outstanding; returns the completed copies.
    pub fn wait(&mut self, most: u16) -> Vec<NodeId> {
        let removed = self.marks().saturating_sub(usize::from(most));
        let Some(covered) = self.drop_front(removed) else { return Vec::new() };
        let (mut completed, mut at) = (Vec::new(), 0);
        self.items.retain(|item| {
            at += 1;
            match item {
                Item::Copy(node) if at <= covered => {
                    completed.push(*node);
                    false
                }
                _ => true,
            }
        });
        completed
    }

    /// Enters a function body that has its own marks.
    pub fn enter(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    /// Leaves the current function body and drops its marks.
    pub fn leave(&mut self) {
        self.trim(None);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Removes the copies that `keep` rejects.
    pub fn forget(&mut self, keep: impl Fn(NodeId) -> bool) {
        self.items.retain(|item| match item {
            Item::Copy(node) => keep(*node),
            Item::Mark(_) => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(copies: &[usize]) -> Sequence {
        let mut sequence = Sequence::default();
        let mut node = 0;
        for &block in copies {
            for _ in 0..block {
                sequence.copy(node);
                node += 1;
            }
            sequence.mark(Some(9));
        }
        sequence
    }

    #[test]
    fn uneven_blocks() {
        let mut blocks = sequence(&[3, 5, 2]);
        assert_eq!(blocks.wait(2), [0, 1, 2]);
        assert_eq!(blocks.wait(2), []);
        assert_eq!(blocks.wait(1), [3, 4, 5, 6, 7]);
        assert_eq!(blocks.wait(0), [8, 9]);
        assert!(blocks.is_idle());
    }

    #[test]
    fn a_copy_without_a_mark_is_not_completed() {
        let mut late = sequence(&[1]);
        late.copy(7);
        assert_eq!(late.wait(0), [0]);
        assert_eq!(late.items(), [Item::Copy(7)]);
    }

    #[test]
    fn marks_of_a_callee_are_not_in_the_callers_sequence() {
        let mut caller = sequence(&[1, 1]);
        caller.enter();
        caller.mark(Some(0));
        caller.leave();
        assert_eq!(caller.wait(1), [0]);
    }

    #[test]
    fn a_wait_of_a_callee_does_not_see_the_callers_marks() {
        let mut caller = sequence(&[1]);
        caller.enter();
        assert_eq!(caller.wait(0), []);
        caller.leave();
        assert_eq!(caller.wait(0), [0]);
    }

    #[test]
    fn a_mark_of_a_callee_covers_copies_of_the_caller() {
        let mut caller = Sequence::default();
        caller.copy(4);
        caller.enter();
        caller.mark(Some(0));
        assert_eq!(caller.wait(0), [4]);
    }

    #[test]
    fn copies_of_a_callee_are_covered_by_the_callers_mark() {
        let mut caller = Sequence::default();
        caller.enter();
        caller.copy(4);
        caller.leave();
        caller.mark(Some(0));
        assert_eq!(caller.wait(0), [4]);
    }

    #[test]
    fn marks_that_every_wait_completes_are_merged() {
        let mut all = sequence(&[1, 1, 1, 1]);
        all.trim(Some(1));
        assert_eq!(all.marks(), 2);
        assert_eq!(all.wait(1), [0, 1, 2]);
    }
}
