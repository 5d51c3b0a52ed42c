//! Lays out the graph of a body as a list of instructions with labels.

use super::instruction::{Condition, Instruction};
use super::scene::{Item, Refusal, Scene};
use super::{flow, rows};
use crate::r#async::useful;
use crate::r#async::walk::walk;
use crate::mem::operation::{Counter, Memory, Waits};
use crate::operation::{Action, Operation};
use crate::ordered::OrderedSet;
use crate::program::{Body, Node, NodeId};
use crate::reading::Readings;
use crate::target::Target;
use alloc::vec::Vec;

/// Returns the machine code of a body on a target: every reachable node, each once except for ends.
///
/// # Errors
///
/// Every node without code, with the reason. Check [`crate::support::lacking`] first for operations that the target
/// does not support.
pub fn lower(
    body: &Body,
    scene: Scene<'_>,
    readings: Readings,
) -> Result<Vec<Item>, Vec<(NodeId, Refusal)>> {
    let mut layout = Layout {
        body,
        target: scene.target,
        waves_choose: scene.lanes <= 1,
        readings,
        flows: flow::analyse(body, scene),
        items: Vec::new(),
        placed: alloc::vec![false; body.nodes.len()],
        open: Vec::new(),
        refused: calls(body),
    };
    layout.open.push(layout.past(0));
    while let Some(node) = layout.open.pop() {
        if !layout.placed[node as usize] {
            layout.chain(node);
        }
    }
    if layout.refused.is_empty() { Ok(tidy(layout.items)) } else { Err(layout.refused) }
}

/// Calls that cannot be inlined into their caller's code, because the specification gives a function its own mark
/// sequence. A call is accepted if every wait completes the same copies either way.
fn calls(body: &Body) -> Vec<(NodeId, Refusal)> {
    let entered = (0..).zip(&body.nodes).filter(|(_, node)| is_memory(node, Memory::Enter));
    let mut calls = entered.map(|(node, _)| (node, Refusal::Function)).peekable();
    if calls.peek().is_none() {
        return Vec::new();
    }
    let walked = walk(body, &useful(&body.nodes));
    if walked.complete && walked.differing.is_empty() { Vec::new() } else { calls.collect() }
}

fn is_memory(node: &Node, memory: Memory) -> bool {
    matches!(node, Node::Operation { operation, .. } if operation.action == Action::Memory(memory))
}

struct Layout<'a> {
    body: &'a Body,
    target: &'a Target,
    waves_choose: bool,
    readings: Readings,
    flows: Vec<Option<flow::Flow>>,
    items: Vec<Item>,
    placed: Vec<bool>,
    /// Nodes that are branch targets.
    open: Vec<NodeId>,
    refused: Vec<(NodeId, Refusal)>,
}

impl Layout<'_> {
    /// Places a node and its successors up to an end or an already placed node.
    fn chain(&mut self, start: NodeId) {
        let mut next = Some(start);
        while let Some(node) = next {
            if self.placed[node as usize] && !self.ends(node) {
                return self.push(node, Instruction::Branch(Condition::Always, node));
            }
            self.placed[node as usize] = true;
            self.items.push(Item::Label(node));
            next = self.place(node);
        }
    }

    fn ends(&self, node: NodeId) -> bool {
        matches!(self.body.nodes[node as usize], Node::End)
    }

    fn push(&mut self, node: NodeId, instruction: Instruction) {
        self.items.push(Item::Line { node, instruction });
    }

    fn refuse(&mut self, node: NodeId, refusal: Refusal) {
        self.refused.push((node, refusal));
    }

    /// The first node, from a node on, that is not the begin or end of a function.
    fn past(&self, mut node: NodeId) -> NodeId {
        for _ in 0..self.body.nodes.len() {
            match self.body.nodes.get(node as usize) {
                Some(Node::Operation { operation, next })
                    if matches!(
                        operation.action,
                        Action::Memory(Memory::Enter | Memory::Leave)
                    ) =>
                {
                    node = next[0];
                }
                _ => break,
            }
        }
        node
    }

    /// Places one node; returns its successor in the layout.
    fn place(&mut self, node: NodeId) -> Option<NodeId> {
        let body = self.body;
        match &body.nodes[node as usize] {
            Node::End => self.push(node, Instruction::End),
            Node::Divergent => self.refuse(node, Refusal::Divergent),
            Node::Choose { next } => return self.choice(node, next),
            Node::Operation { operation, next } => return self.operation(node, *operation, *next),
        }
        None
    }

    /// Lowers a `choose` to comparisons of a register that the caller sets: 0 for the first block, 1 for the second.
    fn choice(&mut self, node: NodeId, next: &[NodeId]) -> Option<NodeId> {
        if !self.waves_choose {
            self.refuse(node, Refusal::Choice);
        }
        let next: Vec<NodeId> = next.iter().map(|&node| self.past(node)).collect();
        for (block, &target) in (0..).zip(&next).skip(1) {
            self.push(node, Instruction::Compare(block));
            self.push(node, Instruction::Branch(Condition::Scc1, target));
        }
        self.open.extend(next.iter().skip(1));
        next.first().copied()
    }

    fn operation(
        &mut self,
        node: NodeId,
        operation: Operation,
        next: [NodeId; 2],
    ) -> Option<NodeId> {
        let next = next.map(|node| self.past(node));
        let flow = self.flows[node as usize]?;
        match rows::row(operation, flow, self.target, self.readings) {
            _ if operation.alike.is_atomic() => self.refuse(node, Refusal::Atomic),
            Ok(code) => code.into_iter().for_each(|instruction| self.push(node, instruction)),
            Err(refusal) => self.refuse(node, refusal),
        }
        if next[0] != next[1] {
            if !matches!(operation.action, Action::Arrive { is_first: true, .. }) {
                self.refuse(node, Refusal::Outcome);
            }
            self.push(node, Instruction::Branch(Condition::Scc1, next[1]));
            self.open.push(next[1]);
        }
        Some(next[0])
    }
}

/// Drops unused labels, then merges adjacent waits.
fn tidy(items: Vec<Item>) -> Vec<Item> {
    let targets: OrderedSet<NodeId> = items.iter().filter_map(target_of).collect();
    let used = |item: &Item| !matches!(item, Item::Label(node) if !targets.contains(node));
    let mut tidied: Vec<Item> = Vec::with_capacity(items.len());
    for item in items.into_iter().filter(used) {
        match (tidied.last_mut(), item) {
            (
                Some(Item::Line { instruction: Instruction::Waitcnt(before), .. }),
                Item::Line { instruction: Instruction::Waitcnt(now), .. },
            ) => *before = both(*before, now),
            _ => tidied.push(item),
        }
    }
    tidied
}

/// A wait for everything that either wait covers.
fn both(one: Waits, other: Waits) -> Waits {
    Counter::ALL.into_iter().fold(one, |both, counter| match other.most(counter) {
        Some(most) => both.with(counter, one.most(counter).map_or(most, |known| known.min(most))),
        None => both,
    })
}

fn target_of(item: &Item) -> Option<NodeId> {
    match item {
        Item::Line { instruction: Instruction::Branch(_, node), .. } => Some(*node),
        _ => None,
    }
}
