//! Dominators of blocks.

use crate::flow::{edges, headers, post_dominators, reverse_postorder};
use crate::ir::{BlockId, Function};
use alloc::vec::Vec;

/// The edges between reachable blocks.
#[derive(Debug)]
pub(super) struct Graph {
    order: Vec<BlockId>,
    before: Vec<Vec<BlockId>>,
    dominators: Vec<Option<BlockId>>,
    headers: Vec<bool>,
}

impl Graph {
    /// The graph of a function.
    pub(super) fn of(function: &Function) -> Self {
        let ends = function.blocks.iter().map(|block| &block.end);
        let next: Vec<Vec<BlockId>> =
            ends.map(|end| edges(end).into_iter().map(|edge| edge.to).collect()).collect();
        let order = reverse_postorder(&next);
        let mut before: Vec<Vec<BlockId>> = alloc::vec![Vec::new(); next.len()];
        for &block in &order {
            for &to in &next[block as usize] {
                if !before[to as usize].contains(&block) {
                    before[to as usize].push(block);
                }
            }
        }
        let mut back = before.clone();
        back.first_mut().map(Vec::clear);
        let dominators = post_dominators(&back);
        Self { headers: headers(&next, &order), dominators, before, order }
    }

    /// The reachable blocks in reverse postorder.
    pub(super) fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// The predecessors of a block.
    pub(super) fn before(&self, block: BlockId) -> &Vec<BlockId> {
        &self.before[block as usize]
    }

    /// The immediate dominator of a block; `None` for the first block.
    pub(super) fn dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators[block as usize]
    }

    /// Whether `one` dominates `block`. A block dominates itself.
    pub(super) fn dominates(&self, one: BlockId, block: BlockId) -> bool {
        let mut at = Some(block);
        while let Some(block) = at {
            if block == one {
                return true;
            }
            at = self.dominator(block);
        }
        false
    }

    /// Whether a block is the target of a back edge.
    pub(super) fn is_header(&self, block: BlockId) -> bool {
        self.headers[block as usize]
    }
}
