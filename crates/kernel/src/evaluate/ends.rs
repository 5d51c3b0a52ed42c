//! Lanes that may end early, as in `if (i >= n) return;` where the host passes any `n`.
//!
//! If barriers count whole waves, a wave continues as long as one of its lanes has not ended. Its accesses are then possible. A
//! wave of which all lanes have ended does not arrive any more, and barriers of the whole workgroup do not wait for it. So a
//! wave that continues covers a wave that ends, if it has not accessed memory before.

use crate::ir::{Amdgpu, Kind, Machine, Module, NvidiaKind, Operand, Style};

/// Properties of a module that matter if lanes of a wave end early.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Whether operations have the same effect however many lanes of a wave perform them.
    pub(super) counts_waves: bool,
    /// Whether all barriers are of the whole workgroup.
    pub(super) gathers_all: bool,
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
