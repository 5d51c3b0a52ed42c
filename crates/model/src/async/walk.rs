//! Walks every path of one body with its mark sequences, and records which copies each wait completes, as written and
//! with calls inlined.
//!
//! The operations in flight of a wave depend only on its own path, so each body is walked separately. Loops are walked
//! until the sequences repeat. Only as many of the most recent marks are kept as the waits ahead can distinguish, so
//! paths with equal recent marks are merged.

use super::sequence::{Item, Sequence};
use crate::mem::operation::Memory;
use crate::operation::Action;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::successors;
use crate::program::{Body, Node, NodeId};
use alloc::vec::Vec;

/// Largest number of states of a walk.
const MOST_STATES: usize = 20_000;
/// Number of marks kept beyond those that the waits ahead can distinguish, so that weaker waits can be suggested.
const MORE_MARKS: u16 = 8;
/// Largest number of items in all states.
const MOST_ITEMS: usize = 1 << 21;

/// The copies that the waits of a body complete, over all paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Copies that are not marked at the end of some path, and copies that no path marks.
    pub unmarked: OrderedSet<NodeId>,
    /// Copies that some path starts.
    pub copies: OrderedSet<NodeId>,
    /// Copies that some path marks.
    pub marked: OrderedSet<NodeId>,
    /// Waits that some path reaches with more marks than the wait allows.
    pub working: OrderedSet<NodeId>,
    /// Waits that some path reaches.
    pub waits: OrderedSet<NodeId>,
    /// Marks that some wait completes on some path.
    pub completed: OrderedSet<NodeId>,
    /// Marks that some path reaches.
    pub marks: OrderedSet<NodeId>,
    /// Marks that a wait leaves outstanding while it completes earlier ones.
    pub counted: OrderedSet<NodeId>,
    /// For each wait, the largest number of marks outstanding when it is reached.
    pub most: OrderedMap<NodeId, usize>,
    /// Waits that complete different copies when calls are inlined: the copies as written and inlined, on the first
    /// path on which they differ.
    pub differing: OrderedMap<NodeId, (OrderedSet<NodeId>, OrderedSet<NodeId>)>,
    /// For each wait, the marks that it completes on any path.
    pub completes: OrderedMap<NodeId, OrderedSet<NodeId>>,
    /// Whether all paths were walked.
    pub complete: bool,
}

/// A state of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    node: NodeId,
    written: Sequence,
    /// The marks of `written`, by node, in the same order.
    names: Vec<NodeId>,
    inlined: Sequence,
    /// Copies without a later mark.
    uncovered: OrderedSet<NodeId>,
}

/// Walks a body. `useful` gives, for each node, the largest mark count that a wait from there on allows.
#[must_use]
pub fn walk(body: &Body, useful: &[Option<u16>]) -> Walk {
    let mut walk = Walk { complete: true, ..Walk::default() };
    let (mut seen, mut work, mut items) = (OrderedSet::new(), Vec::new(), 0);
    if !body.nodes.is_empty() {
        work.push(Place::default());
    }
    while let Some(place) = work.pop() {
        items += 1 + place.written.items().len() + place.inlined.items().len();
        if seen.len() >= MOST_STATES || items > MOST_ITEMS {
            walk.complete = false;
            break;
        }
        if !seen.insert(place.clone()) {
            continue;
        }
        let node = &body.nodes[place.node as usize];
        let after = walk.step(place, node, useful);
        let mut next: Vec<NodeId> = successors(node).to_vec();
        next.dedup();
        work.extend(next.into_iter().map(|node| Place { node, ..after.clone() }));
    }
    // A path may be infinite: a copy that no path marks is unmarked on each.
    let never = walk.copies.difference(&walk.marked);
    walk.unmarked.extend(never);
    walk
}

impl Walk {
    fn step(&mut self, mut place: Place, node: &Node, useful: &[Option<u16>]) -> Place {
        let at = place.node;
        let Node::Operation { operation, .. } = node else {
            if *node == Node::End {
                self.unmarked.extend(&place.uncovered);
            }
            return place;
        };
        let Action::Memory(memory) = operation.action else { return place };
        match memory {
            Memory::Copy { .. } => {
                place.written.copy(at);
                place.inlined.copy(at);
                place.uncovered.insert(at);
                self.copies.insert(at);
            }
            Memory::Mark => {
                self.marks.insert(at);
                self.marked.extend(&place.uncovered);
                place.uncovered.clear();
                place.names.push(at);
                place.written.mark(Some(u16::MAX));
                place.inlined.mark(useful[at as usize]);
                place.trim(useful[at as usize], self);
            }
            Memory::WaitMarks(most) => self.wait(&mut place, most),
            Memory::Enter => place.written.enter(),
            Memory::Leave => {
                place.drop_own(place.written.marks());
                place.written.leave();
            }
            _ => {}
        }
        place
    }

    fn wait(&mut self, place: &mut Place, most: u16) {
        let at = place.node;
        let marks = place.written.marks();
        let known = self.most.entry(at).or_default();
        *known = marks.max(*known);
        self.waits.insert(at);
        let removed = marks.saturating_sub(usize::from(most));
        if removed > 0 {
            self.working.insert(at);
        }
        let completes = place.drop_own(removed);
        self.completes.entry(at).or_default().extend(&completes);
        let written: OrderedSet<NodeId> = place.written.wait(most).into_iter().collect();
        if !completes.is_empty() {
            self.counted.extend(place.own_marks());
        }
        self.completed.extend(completes);
        let inlined: OrderedSet<NodeId> = place.inlined.wait(most).into_iter().collect();
        let in_flight = |sequence: &Sequence| -> OrderedSet<Item> {
            sequence.items().iter().copied().filter(|item| matches!(item, Item::Copy(_))).collect()
        };
        if in_flight(&place.written) != in_flight(&place.inlined) {
            self.differing.entry(at).or_insert((written, inlined));
        }
    }
}

impl Place {
    /// The outstanding marks of the current body, by node.
    fn own_marks(&self) -> Vec<NodeId> {
        let marks = self.written.items().iter().filter(|item| matches!(item, Item::Mark(_)));
        let own = |(mark, _): &(&Item, &NodeId)| **mark == Item::Mark(self.written.depth());
        marks.zip(&self.names).filter(own).map(|(_, &name)| name).collect()
    }

    /// Removes and returns the names of the first marks of the current body.
    fn drop_own(&mut self, count: usize) -> Vec<NodeId> {
        let depth = self.written.depth();
        let marks = self.written.items().iter().filter_map(|item| match item {
            Item::Mark(depth) => Some(*depth),
            Item::Copy(_) => None,
        });
        let own: Vec<bool> = marks.map(|mark| mark == depth).collect();
        let (mut left, mut dropped, mut index) = (count, Vec::new(), 0);
        self.names.retain(|&name| {
            let goes = left > 0 && own.get(index) == Some(&true);
            index += 1;
            if goes {
                left -= 1;
                dropped.push(name);
            }
            !goes
        });
        dropped
    }

    /// Drops marks that no wait can distinguish from later ones; if a wait is ahead, it completes them.
    fn trim(&mut self, useful: Option<u16>, walk: &mut Walk) {
        let useful = useful.map(|useful| useful.saturating_add(MORE_MARKS));
        let most = useful.map_or(0, |useful| usize::from(useful) + 1);
        let dropped = self.drop_own(self.written.marks().saturating_sub(most));
        if useful.is_some() {
            walk.completed.extend(dropped);
        }
        self.written.trim(useful);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::operation::Range;
    use crate::operation::{Form, Operation};

    const COPY: Memory = {
        let range = Range { buffer: 0, start: 0, end: 1 };
        Memory::Copy { to: range, from: Range { buffer: 1, ..range } }
    };

    /// A body without branches; with `back`, its last step jumps to that node.
    fn of(steps: &[Memory], back: Option<NodeId>) -> Walk {
        let node = |(index, &memory): (usize, &Memory)| {
            let next = match back {
                Some(back) if index + 1 == steps.len() => back,
                _ => index as NodeId + 1,
            };
            let operation = Operation::new(Action::Memory(memory), Form::Word);
            Node::Operation { operation, next: [next; 2] }
        };
        let mut nodes: Vec<Node> = steps.iter().enumerate().map(node).collect();
        nodes.push(Node::End);
        let body = Body { nodes };
        walk(&body, &crate::r#async::useful(&body.nodes))
    }

    #[test]
    fn uncovered_copies_and_uncompleted_marks() {
        let found = of(&[COPY, Memory::Mark, Memory::WaitMarks(0), COPY, Memory::Mark, COPY], None);
        assert_eq!(found.unmarked, OrderedSet::from([5]));
        assert_eq!(
            (found.completed, found.marks),
            (OrderedSet::from([1]), OrderedSet::from([1, 4]))
        );
    }

    #[test]
    fn marks_that_a_wait_leaves_outstanding_are_counted() {
        let steps = [Memory::Mark, Memory::Mark, Memory::WaitMarks(1), Memory::Mark];
        assert_eq!(of(&steps, None).counted, OrderedSet::from([1]));
        assert!(of(&[Memory::Mark, Memory::WaitMarks(1)], None).counted.is_empty());
    }

    #[test]
    fn a_wait_with_few_outstanding_marks_completes_nothing() {
        let found = of(
            &[Memory::WaitMarks(0), Memory::Mark, Memory::WaitMarks(1), Memory::WaitMarks(0)],
            None,
        );
        assert_eq!((found.working, found.waits.len()), (OrderedSet::from([3]), 3));
    }

    #[test]
    fn a_loop_ends_when_the_sequence_repeats() {
        let found = of(&[Memory::Mark, COPY, Memory::Mark, Memory::WaitMarks(2)], Some(1));
        assert!(found.complete);
        assert_eq!(found.completed, OrderedSet::from([0, 2]));
        let endless = of(&[COPY, Memory::Mark], Some(0));
        assert!(endless.complete && endless.completed.is_empty() && endless.unmarked.is_empty());
        assert_eq!(of(&[COPY, Memory::WaitMarks(0)], Some(1)).unmarked, OrderedSet::from([0]));
    }

    #[test]
    fn inlining_makes_a_callees_mark_count() {
        let steps = [
            COPY,
            Memory::Mark,
            COPY,
            Memory::Mark,
            Memory::Enter,
            Memory::Mark,
            Memory::Leave,
            Memory::WaitMarks(1),
        ];
        let found = of(&steps, None);
        assert_eq!(
            found.differing,
            OrderedMap::from([(7, (OrderedSet::from([0]), OrderedSet::from([0, 2])))])
        );
        assert_eq!(found.completed, OrderedSet::from([1]));
    }
}
