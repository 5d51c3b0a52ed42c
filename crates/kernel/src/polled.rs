//! Loads in machine code that wait for another agent, in a loop that only loads and that the loaded value ends.
//!
//! Machine code does not say whether an access is atomic. A load that a loop repeats until it gives a certain value must be
//! atomic in a correct program. So a conflict with it is possible, not certain.

use crate::flow::{Flow, edges};
use crate::ir::{BlockId, Engine, Function, Instruction, Kind, Module, Space};
use alloc::vec::Vec;

/// The maximum number of blocks of such a loop.
const MOST_BLOCKS: usize = 8;

/// Marks these loads as perhaps atomic.
pub(crate) fn mark(module: &mut Module) {
    let unmarked = core::mem::take(&mut module.unmarked);
    let is_load = |instruction: &Instruction| is_load(instruction, &unmarked);
    for function in &mut module.functions {
        let polled: Vec<BlockId> = (0..function.blocks.len() as BlockId)
            .filter(|&block| {
                function.blocks[block as usize].instructions.iter().any(is_load)
                    && cycle(function, block).is_some_and(|cycle| polls(function, &cycle, is_load))
            })
            .collect();
        for block in polled {
            for instruction in &mut function.blocks[block as usize].instructions {
                if let Kind::Access(access) = &mut instruction.kind {
                    access.perhaps_atomic = true;
                }
            }
        }
    }
    module.unmarked = unmarked;
}

/// The blocks of the loop that a block is in; `None` if it is in no loop, or in a larger one.
fn cycle(function: &Function, block: BlockId) -> Option<Vec<BlockId>> {
    let next = |block: &BlockId| {
        edges(&function.blocks[*block as usize].end).into_iter().map(|edge| edge.to)
    };
    let mut near = alloc::vec![block];
    for _ in 1..MOST_BLOCKS {
        let more: Vec<BlockId> = near.iter().flat_map(next).collect();
        near.extend(more);
        near.sort_unstable();
        near.dedup();
    }
    let mut cycle: Vec<BlockId> = Vec::new();
    loop {
        let returns = |at: &BlockId| next(at).any(|to| to == block || cycle.contains(&to));
        let more: Vec<BlockId> =
            near.iter().copied().filter(|at| !cycle.contains(at) && returns(at)).collect();
        if more.is_empty() {
            break;
        }
        cycle.extend(more);
    }
    (cycle.contains(&block) && cycle.len() <= MOST_BLOCKS).then_some(cycle)
}

/// Whether a loop only loads, and a loaded value ends it.
fn polls(function: &Function, cycle: &[BlockId], is_load: impl Fn(&Instruction) -> bool) -> bool {
    let mut all = cycle.iter().flat_map(|&block| &function.blocks[block as usize].instructions);
    let only_loads = all.all(|instruction| {
        is_load(instruction)
            || instruction.kind.computes()
            || matches!(instruction.kind, Kind::Memory(..) | Kind::Fence(_) | Kind::Caches(_))
            || matches!(instruction.kind, Kind::Outstanding)
    });
    only_loads && Flow::is_decided_by_loads(function, cycle)
}

fn is_load(instruction: &Instruction, unmarked: &[Space]) -> bool {
    let Kind::Access(access) = &instruction.kind else { return false };
    unmarked.contains(&access.space)
        && !access.writes
        && access.copies_to.is_none()
        && access.engine == Engine::Vector
}
