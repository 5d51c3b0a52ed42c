//! The graph of everything that one agent can do.

use super::touches::Stored;
use crate::ir::Place;
use alloc::vec::Vec;
use tidegate_model::operation::{Action, Operation};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::{Node, NodeId};

/// A successor that is not known yet.
pub(super) const OPEN: NodeId = NodeId::MAX;

/// Bytes of an object: the first, and the one after the last.
pub(super) type Bytes = (u32, u32, u32);

/// Agreed data that an agent reads. `bytes` is `None` for the result of a vote. `turn` is `None` if no agent may ever write the
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(super) bytes: Option<Bytes>,
    pub(super) turn: Option<u32>,
}

/// Everything that one agent can do. A choice with one successor is a join of several paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) nodes: Vec<Node>,
    pub(crate) places: Vec<Place>,
    /// For nodes in which threads of a warp access memory, the set of their accesses.
    pub(crate) touches: OrderedMap<NodeId, u32>,
    /// For stores of one value by all their lanes, the value.
    pub(crate) constants: OrderedMap<NodeId, Stored>,
    /// For nodes that read agreed data, these data.
    pub(crate) agreed: OrderedMap<NodeId, Reading>,
    /// For operations of NVIDIA, the lanes that perform them.
    pub(crate) lanes: OrderedMap<NodeId, u32>,
    /// The threads of the warp.
    pub(crate) mask: u32,
    /// Two accesses of threads of one warp that conflict, if there are any.
    pub(crate) unordered: Option<Parted>,
}

/// Two operations of one warp that nothing orders, and the message about them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    pub(super) places: [Place; 2],
    pub(super) why: &'static str,
}

impl Recorded {
    /// Whether a successor was followed.
    pub(crate) fn is_known(&self, node: NodeId) -> bool {
        node != OPEN
    }

    /// The graph without joins and without the operations that are not kept, numbered in the order of discovery.
    pub(crate) fn simplified(&self, keep: impl Fn(NodeId, &Operation) -> bool) -> Self {
        let real = |mut node: NodeId| {
            for _ in 0..=self.nodes.len() {
                node = match &self.nodes[node as usize] {
                    Node::Choose { next } if next.len() == 1 => next[0],
                    Node::Operation { operation, next } if !keep(node, operation) => next[0],
                    _ => return Some(node),
                };
                if node == OPEN {
                    return None;
                }
            }
            // A loop without operations never ends.
            None
        };
        let (mut places, mut order) = (alloc::vec![OPEN; self.nodes.len()], Vec::new());
        let mut made = Self::default();
        let Some(first) = real(0) else {
            made.nodes.push(Node::End);
            made.places.push(self.places.first().copied().unwrap_or_default());
            return made;
        };
        places[first as usize] = 0;
        order.push(first);
        let mut at = 0;
        while at < order.len() {
            for &next in tidegate_model::program::successors(&self.nodes[order[at] as usize]) {
                if let Some(next) = (next != OPEN).then(|| real(next)).flatten()
                    && places[next as usize] == OPEN
                {
                    places[next as usize] = order.len() as NodeId;
                    order.push(next);
                }
            }
            at += 1;
        }
        let lost = order.len() as NodeId;
        let place = |next: NodeId| match (next != OPEN).then(|| real(next)).flatten() {
            Some(next) => places[next as usize],
            None => lost,
        };
        for &node in &order {
            made.nodes.push(match &self.nodes[node as usize] {
                Node::Operation { operation, next } => {
                    Node::Operation { operation: *operation, next: next.map(place) }
                }
                Node::Choose { next } => {
                    Node::Choose { next: next.iter().map(|&next| place(next)).collect() }
                }
                other => other.clone(),
            });
            made.places.push(self.places[node as usize]);
        }
        let is_lost = |node: &Node| tidegate_model::program::successors(node).contains(&lost);
        if made.nodes.iter().any(is_lost) {
            made.nodes.push(Node::End);
            made.places.push(self.places.last().copied().unwrap_or_default());
        }
        made
    }
}

/// Whether an operation is only an access that reads or writes.
pub(crate) const fn is_access(operation: &Operation) -> bool {
    use tidegate_model::mem::operation::Memory;
    matches!(operation.action, Action::Memory(Memory::Load(_) | Memory::Store(_)))
}
