//! Turns branches and loops on data that only access memory into a row: a sequence of accesses without branches.
//!
//! If an agent does not synchronise between two places, only the set of its accesses in between matters to others. If data
//! decide which of them happen and how often, each access is possible. A row of possible accesses is equivalent to all paths
//! between the two places, and the agent has one path instead of many.

use super::recorded::{Recorded, is_access};
use crate::flow::post_dominators;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};

/// The maximum number of nodes of a part that becomes a row.
const MOST: usize = 400;

impl Recorded {
    /// The same agent, in which parts that only access memory are rows.
    pub(crate) fn straightened(mut self) -> Self {
        let is_choice = |node: &Node| matches!(node, Node::Choose { next } if next.len() > 1);
        if !self.nodes.iter().any(is_choice) {
            return self;
        }
        let next: Vec<Vec<NodeId>> =
            self.nodes.iter().map(|node| successors(node).to_vec()).collect();
        let mut before: Vec<Vec<NodeId>> = alloc::vec![Vec::new(); next.len()];
        for (node, targets) in (0..).zip(&next) {
            targets.iter().for_each(|&to| before[to as usize].push(node));
        }
        let after = post_dominators(&next);
        let mut done = alloc::vec![false; next.len()];
        for first in 0..next.len() as NodeId {
            if !is_choice(&self.nodes[first as usize]) && !self.comes_back(first, &next) {
                continue;
            }
            let mut end = after[first as usize];
            while let Some(last) = end.filter(|_| !done[first as usize]) {
                let Some(part) = self.part(first, last, &next, &before) else { break };
                let loops = before[first as usize].iter().any(|node| part.contains(node));
                if loops || is_choice(&self.nodes[first as usize]) {
                    part.iter().for_each(|&node| done[node as usize] = true);
                    self.make_row(&part, last);
                    break;
                }
                end = after[last as usize];
            }
        }
        self.simplified(|_, _| true)
    }

    /// Whether a node is in a loop that only accesses memory and is not too long for a row.
    fn comes_back(&self, first: NodeId, next: &[Vec<NodeId>]) -> bool {
        let (mut known, mut open) = (OrderedSet::new(), alloc::vec![first]);
        while let Some(node) = open.pop() {
            if known.len() > MOST || !self.only_accesses(node) {
                continue;
            }
            for &to in &next[node as usize] {
                if to == first {
                    return true;
                }
                if known.insert(to) {
                    open.push(to);
                }
            }
        }
        false
    }

    /// Whether a node neither synchronises nor ends the agent.
    fn only_accesses(&self, node: NodeId) -> bool {
        match &self.nodes[node as usize] {
            Node::Choose { .. } => true,
            Node::Operation { operation, .. } => is_access(operation),
            Node::Divergent | Node::End => false,
        }
    }

    /// The nodes from `first` to before `last`, starting with `first`; `None` if they do more than access memory, or are
    /// entered elsewhere.
    fn part(
        &self,
        first: NodeId,
        last: NodeId,
        next: &[Vec<NodeId>],
        before: &[Vec<NodeId>],
    ) -> Option<Vec<NodeId>> {
        let (mut part, mut known) = (alloc::vec![first], OrderedSet::from([first]));
        let mut at = 0;
        while let Some(&node) = part.get(at) {
            if !self.only_accesses(node) || part.len() > MOST {
                return None;
            }
            for &to in next[node as usize].iter().filter(|&&to| to != last) {
                if known.insert(to) {
                    part.push(to);
                }
            }
            at += 1;
        }
        part.sort_unstable_by_key(|&node| (node != first, node));
        let inside = |node: &NodeId| known.contains(node);
        let entered = part[1..].iter().all(|&node| before[node as usize].iter().all(inside));
        entered.then_some(part)
    }

    /// Turns a part into a row of its accesses.
    fn make_row(&mut self, part: &[NodeId], last: NodeId) {
        let is_operation =
            |node: &NodeId| matches!(self.nodes[*node as usize], Node::Operation { .. });
        let mut row: Vec<NodeId> = part.iter().copied().filter(is_operation).collect();
        if row.first() != part.first() {
            row.insert(0, part[0]);
        }
        for (at, &node) in row.iter().enumerate() {
            let to = row.get(at + 1).copied().unwrap_or(last);
            match &mut self.nodes[node as usize] {
                Node::Operation { operation, next } => {
                    operation.possible |= at > 0;
                    *next = [to; 2];
                }
                other => *other = Node::Choose { next: alloc::vec![to] },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Place;
    use tidegate_model::mem::operation::{Memory, Range};
    use tidegate_model::operation::{Action, Form, Object, Operation};

    fn access(start: u32, to: NodeId) -> Node {
        let range = Range { buffer: 0, start, end: start + 4 };
        let operation = Operation::new(Action::Memory(Memory::Store(range)), Form::Word);
        Node::Operation { operation, next: [to; 2] }
    }

    fn arrive(to: NodeId) -> Node {
        let action = Action::Arrive { object: Object::Workgroup, expected: None, is_first: false };
        Node::Operation { operation: Operation::new(action, Form::Word), next: [to; 2] }
    }

    fn straightened(nodes: Vec<Node>) -> Vec<Node> {
        let places = alloc::vec![Place::default(); nodes.len()];
        Recorded { nodes, places, ..Recorded::default() }.straightened().nodes
    }

    /// Nodes that are certain, or only possible.
    fn possible(nodes: &[Node]) -> Vec<bool> {
        let of = |node: &Node| match node {
            Node::Operation { operation, .. } => Some(operation.possible),
            _ => None,
        };
        nodes.iter().filter_map(of).collect()
    }

    #[test]
    fn a_loop_of_accesses_is_a_row() {
        let choice = |next: &[NodeId]| Node::Choose { next: next.to_vec() };
        // An access, then a choice between the end and another access, after which it begins again.
        let nodes = [access(0, 1), choice(&[3, 2]), access(4, 0), arrive(4), Node::End];
        let row = straightened(nodes.to_vec());
        assert_eq!((row.len(), possible(&row)), (4, [false, true, false].to_vec()));
    }

    #[test]
    fn ways_that_synchronise_stay_ways() {
        let choice = |next: &[NodeId]| Node::Choose { next: next.to_vec() };
        let nodes = [choice(&[1, 2]), arrive(3), access(0, 3), Node::End].to_vec();
        assert_eq!(straightened(nodes.clone()).len(), nodes.len());
    }
}
