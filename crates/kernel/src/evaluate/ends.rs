//! Lanes that data let end early, as in `if (i >= n) return;` where the host passes any `n`.
//!
//! Where barriers count whole waves, it does not matter which lanes of a wave have ended as long as one is left: the wave
//! continues, and what it accesses is possible. If all lanes have ended, the wave does not arrive any more. Barriers of the whole
//! workgroup do not wait for it then, so that a wave that has not accessed memory before, and that continues, does all that one
//! that ends does, and more.

use crate::ir::{Amdgpu, Kind, Machine, Module, NvidiaKind, Operand, Style};

/// What a module says about waves of which lanes end.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Whether it does not matter how many lanes of a wave perform an operation.
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
