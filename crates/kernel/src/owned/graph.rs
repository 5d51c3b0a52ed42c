//! Which blocks are always reached through others.

use crate::flow::{edges, headers, post_dominators, reverse_postorder};
use crate::ir::{BlockId, Function};
use alloc::vec::Vec;

/// The ways between the blocks that are reached.
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

    /// The blocks that are reached, each before those to which no way back leads.
    pub(super) fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// The blocks from which a block is reached at once.
    pub(super) fn before(&self, block: BlockId) -> &Vec<BlockId> {
        &self.before[block as usize]
    }

    /// The nearest other block through which every way to a block leads.
    pub(super) fn dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators[block as usize]
    }

    /// Whether every way to a block leads through another one, or is the block.
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
