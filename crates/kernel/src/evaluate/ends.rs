//! Lanes that data let end early, as in `if (i >= n) return;` where the host passes any `n`.
//!
//! Where barriers count whole waves, it does not matter which lanes of a wave have ended as long as one is left: the wave
//! continues, and what it accesses is possible. If all lanes have ended, the wave does not arrive any more. Barriers of the whole
//! workgroup do not wait for it then, so that a wave that has not accessed memory before, and that continues, does all that one
//! that ends does, and more.

use super::state::State;
use super::world::Run;
use crate::ir::{Amdgpu, BlockId, Edge, End, Function, Kind, Machine, NvidiaKind, Operand, Style};

impl Run<'_> {
    /// The way that all lanes may take, if lanes that take the other one end at once and no barrier counts lanes.
    pub(super) fn continues(
        &self,
        state: &State,
        ways: [&Edge; 2],
        sides: [u64; 2],
    ) -> Option<usize> {
        let module = self.world.module;
        if module.style != Style::Lanes || module.machine == Machine::Opencl {
            return None;
        }
        let (lanes, frame) = (state.part()?.mask, state.frame()?);
        let code = &module.functions[frame.function as usize];
        let outermost = state.frames.len() == 1;
        let ends = |way: usize| ends_at_once(code, ways[way].to, outermost);
        let way = (0..2).find(|&way| sides[way] == lanes && ends(1 - way) && !ends(way))?;
        let counts = |kind: &Kind| matches!(kind, Kind::Nvidia(one) if one.kind.counts_threads());
        (!self.any(counts)).then_some(way)
    }

    /// Whether an agent that continues does all that one that ends here does.
    pub(super) fn may_end(&self, state: &State) -> bool {
        let gathers_some = |kind: &Kind| match kind {
            Kind::Nvidia(one) => match one.kind {
                NvidiaKind::Bar { .. } => {
                    one.operands.get(1).is_some_and(|count| *count != Operand::Int(0))
                }
                NvidiaKind::ClusterArrive { .. } | NvidiaKind::ClusterWait { .. } => true,
                _ => false,
            },
            Kind::Amdgpu(one, _) => !matches!(one, Amdgpu::Barrier),
            _ => false,
        };
        !state.acted && !self.any(gathers_some)
    }

    /// Whether an instruction of the module is of a kind.
    fn any(&self, is: impl Fn(&Kind) -> bool) -> bool {
        let mut blocks = self.world.module.functions.iter().flat_map(|function| &function.blocks);
        blocks.any(|block| block.instructions.iter().any(|one| is(&one.kind)))
    }
}

/// Whether lanes that come to a block end without doing anything that matters to others.
pub(super) fn ends_at_once(code: &Function, mut block: BlockId, outermost: bool) -> bool {
    for _ in 0..=code.blocks.len() {
        let at = &code.blocks[block as usize];
        let computes = |kind: &Kind| matches!(kind, Kind::Compute { .. } | Kind::Opaque { .. });
        if !at.instructions.iter().all(|one| computes(&one.kind)) {
            return false;
        }
        match &at.end {
            End::Exit => return true,
            End::Return(_) => return outermost,
            End::Jump(edge) => block = edge.to,
            _ => return false,
        }
    }
    false
}
