//! Lanes that data let end early, as in `if (i >= n) return;` where the host passes any `n`.
//!
//! Where barriers count whole waves, it does not matter which lanes of a wave have ended as long as one is left: the wave
//! continues, and what it accesses is possible. If all lanes have ended, the wave does not arrive any more. Barriers of the whole
//! workgroup do not wait for it then, so that a wave that has not accessed memory before, and that continues, does all that one
//! that ends does, and more.

use super::state::State;
use super::world::{Run, World};
use crate::ir::{
    Amdgpu, BlockId, Edge, End, FunctionId, Kind, Machine, Module, NvidiaKind, Operand, Style,
};

/// What a module says about waves of which lanes end.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Whether it does not matter how many lanes of a wave perform an operation.
    counts_waves: bool,
    /// Whether all barriers are of the whole workgroup.
    gathers_all: bool,
}

impl Ends {
    pub(crate) fn of(module: &Module) -> Self {
        let lanes = module.style == Style::Lanes && module.machine != Machine::Opencl;
        let mut ends = Self { counts_waves: lanes, gathers_all: true };
        let blocks = module.functions.iter().flat_map(|function| &function.blocks);
        for instruction in blocks.flat_map(|block| &block.instructions) {
            match &instruction.kind {
                Kind::Nvidia(one) => {
                    ends.counts_waves &= !one.kind.counts_threads();
                    ends.gathers_all &= match one.kind {
                        NvidiaKind::Bar { .. } => {
                            one.operands.get(1).is_none_or(|count| *count == Operand::Int(0))
                        }
                        NvidiaKind::ClusterArrive { .. } | NvidiaKind::ClusterWait { .. } => false,
                        _ => true,
                    };
                }
                Kind::Amdgpu(one, _) => ends.gathers_all &= matches!(one, Amdgpu::Barrier),
                _ => {}
            }
        }
        ends
    }
}

impl World<'_> {
    /// Whether lanes that come to a block end without doing anything that matters to others.
    pub(super) fn ends_at_once(
        &self,
        function: FunctionId,
        block: BlockId,
        outermost: bool,
    ) -> bool {
        let Some(last) = self.flows[function as usize].lasts[block as usize] else { return false };
        match self.module.functions[function as usize].blocks[last as usize].end {
            End::Exit => true,
            End::Return(_) => outermost,
            _ => false,
        }
    }
}

impl Run<'_> {
    /// The way that all lanes may take, if lanes that take the other one end at once and no barrier counts lanes.
    pub(super) fn continues(
        &self,
        state: &State,
        ways: [&Edge; 2],
        sides: [u64; 2],
    ) -> Option<usize> {
        let (lanes, function) = (state.part()?.mask, state.frame()?.function);
        let outermost = state.frames.len() == 1;
        let ends = |way: usize| self.world.ends_at_once(function, ways[way].to, outermost);
        let continues = |way: &usize| sides[*way] == lanes && ends(1 - way) && !ends(*way);
        (0..2).find(continues).filter(|_| self.world.ends.counts_waves)
    }

    /// Whether an agent that continues does all that one that ends here does.
    pub(super) const fn may_end(&self, state: &State) -> bool {
        !state.acted && self.world.ends.gathers_all
    }
}
