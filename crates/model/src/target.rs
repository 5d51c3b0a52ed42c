//! The table of targets: the processors of LLVM 22 from GFX6 to GFX12.5, NVIDIA compute capabilities, and language targets.

use crate::mem::operation::Counter;
use crate::operation::Mnemonic;

/// Index of a target in [`TARGETS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TargetId(pub u16);

/// The family of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The AMDGPU specification only: every object and operation, no hardware table, no hardware model.
    Model,
    /// An AMDGPU processor: major, minor and stepping version (`gfx90a` is 9, 0, 10). A generic target has stepping 0.
    Amdgpu {
        /// Major version.
        major: u8,
        /// Minor version.
        minor: u8,
        /// Stepping.
        stepping: u8,
    },
    /// An NVIDIA compute capability.
    Nvidia,
    /// OpenCL C++.
    Opencl,
}

impl Family {
    /// Its name in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Model => "the text alone",
            Self::Amdgpu { .. } => "AMDGPU",
            Self::Nvidia => "NVIDIA",
            Self::Opencl => "OpenCL C++",
        }
    }
}

/// The counters of outstanding memory operations that a wave can wait for, and their instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counters {
    /// None that a program can name.
    None,
    /// `vmcnt`, `expcnt` and `lgkmcnt`, by `s_waitcnt`: stores count with loads.
    Waitcnt,
    /// As `Waitcnt`, plus `vscnt` for stores, and a separate instruction for each counter.
    WaitcntVscnt,
    /// `loadcnt`, `storecnt`, `dscnt`, `kmcnt`, `expcnt`, `samplecnt` and `bvhcnt`, by one `s_wait_*cnt` for each.
    Split,
    /// `loadcnt`, `storecnt`, `dscnt`, `kmcnt`, `xcnt`, `asynccnt` and `tensorcnt`, by one `s_wait_*cnt` for each.
    SplitAsync,
    /// All counters: the target `model` has no restrictions.
    All,
}

/// The instructions that write back and invalidate caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caches {
    /// None that a program can name.
    None,
    /// `buffer_wbinvl1`.
    Wbinvl1,
    /// `buffer_wbinvl1_vol`.
    Wbinvl1Vol,
    /// As `Wbinvl1Vol`, plus `buffer_wbl2` and `buffer_invl2` at system scope.
    Wbinvl1VolL2,
    /// `buffer_wbl2` and `buffer_inv`, with bits `sc0` and `sc1` for the scope.
    ScopeBits,
    /// `buffer_gl0_inv` and `buffer_gl1_inv`.
    GlInv,
    /// `global_wb` and `global_inv`, with a scope; writes reach the whole device without a write-back.
    GlobalInv,
    /// As `GlobalInv`, but device scope needs a write-back, and scopes beyond the workgroup need an invalidation.
    GlobalInvCluster,
}

/// One row: a target and its features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name (`gfx1250`, `gfx9-4-generic`, `model`, `sm_90`, `opencl`).
    pub name: &'static str,
    /// Its family.
    pub family: Family,
    /// Whether `s_barrier` may be issued with memory operations outstanding (BackOffBarrier).
    pub back_off_barrier: bool,
    /// Whether *arrive* and *wait* are separate (`s_barrier_signal`, `s_barrier_wait`); `s_barrier` then does not exist.
    pub split_barriers: bool,
    /// Whether named barrier objects exist.
    pub named_barriers: bool,
    /// Whether the cluster barrier exists.
    pub cluster_barriers: bool,
    /// Whether direct loads from global memory to LDS exist (LDS-DMA).
    pub lds_dma: bool,
    /// Whether async marks exist.
    pub async_marks: bool,
    /// Counters of outstanding memory operations.
    pub counters: Counters,
    /// Whether `expcnt` counts a store until its data is read.
    pub stores_in_expcnt: bool,
    /// Cache instructions.
    pub caches: Caches,
}

/// GFX6: only `s_barrier`, which requires every counter to be zero.
const GFX6: Target = Target {
    name: "",
    family: Family::Model,
    back_off_barrier: false,
    split_barriers: false,
    named_barriers: false,
    cluster_barriers: false,
    lds_dma: false,
    async_marks: false,
    counters: Counters::Waitcnt,
    stores_in_expcnt: true,
    caches: Caches::Wbinvl1,
};
/// GFX7 and GFX8: a different cache instruction.
const GFX7: Target = Target { stores_in_expcnt: false, caches: Caches::Wbinvl1Vol, ..GFX6 };
/// GFX9 without the back-off barrier.
const GFX9: Target = Target { lds_dma: true, async_marks: true, ..GFX7 };
/// gfx90a: back-off barrier, and coherence with the host.
const GFX90A: Target = Target { back_off_barrier: true, caches: Caches::Wbinvl1VolL2, ..GFX9 };
/// GFX9 from gfx942 on: cache instructions with a scope.
const GFX9_4: Target = Target { caches: Caches::ScopeBits, ..GFX90A };
/// GFX10: a separate counter for stores.
const GFX10: Target = Target { counters: Counters::WaitcntVscnt, caches: Caches::GlInv, ..GFX90A };
/// GFX11: no LDS-DMA.
const GFX11: Target = Target { lds_dma: false, async_marks: false, ..GFX10 };
/// GFX12: split barriers.
const GFX12: Target =
    Target { split_barriers: true, counters: Counters::Split, caches: Caches::GlobalInv, ..GFX11 };
/// GFX12.5: named and cluster barriers.
const GFX12_5: Target = Target {
    named_barriers: true,
    cluster_barriers: true,
    async_marks: true,
    counters: Counters::SplitAsync,
    caches: Caches::GlobalInvCluster,
    ..GFX12
};
/// Every NVIDIA compute capability: no feature of AMDGPU.
const NVIDIA: Target = Target {
    family: Family::Nvidia,
    counters: Counters::None,
    stores_in_expcnt: false,
    caches: Caches::None,
    ..GFX6
};
/// The specification only: every feature.
const MODEL: Target = Target {
    name: "model",
    family: Family::Model,
    back_off_barrier: true,
    lds_dma: true,
    counters: Counters::All,
    ..GFX12_5
};

const fn amdgpu(major: u8, minor: u8, stepping: u8) -> Family {
    Family::Amdgpu { major, minor, stepping }
}

/// Every target: `model`, AMDGPU by version with each generic target after its processors, NVIDIA, OpenCL.
pub static TARGETS: &[Target] = &[
    MODEL,
    Target { name: "gfx600", family: amdgpu(6, 0, 0), ..GFX6 },
    Target { name: "gfx601", family: amdgpu(6, 0, 1), ..GFX6 },
    Target { name: "gfx602", family: amdgpu(6, 0, 2), ..GFX6 },
    Target { name: "gfx700", family: amdgpu(7, 0, 0), ..GFX7 },
    Target { name: "gfx701", family: amdgpu(7, 0, 1), ..GFX7 },
    Target { name: "gfx702", family: amdgpu(7, 0, 2), ..GFX7 },
    Target { name: "gfx703", family: amdgpu(7, 0, 3), ..GFX7 },
    Target { name: "gfx704", family: amdgpu(7, 0, 4), ..GFX7 },
    Target { name: "gfx705", family: amdgpu(7, 0, 5), ..GFX7 },
    Target { name: "gfx801", family: amdgpu(8, 0, 1), ..GFX7 },
    Target { name: "gfx802", family: amdgpu(8, 0, 2), ..GFX7 },
    Target { name: "gfx803", family: amdgpu(8, 0, 3), ..GFX7 },
    Target { name: "gfx805", family: amdgpu(8, 0, 5), ..GFX7 },
    Target { name: "gfx810", family: amdgpu(8, 1, 0), ..GFX7 },
    Target { name: "gfx900", family: amdgpu(9, 0, 0), ..GFX9 },
    Target { name: "gfx902", family: amdgpu(9, 0, 2), ..GFX9 },
    Target { name: "gfx904", family: amdgpu(9, 0, 4), ..GFX9 },
    Target { name: "gfx906", family: amdgpu(9, 0, 6), ..GFX9 },
    Target { name: "gfx908", family: amdgpu(9, 0, 8), ..GFX9 },
    Target { name: "gfx909", family: amdgpu(9, 0, 9), ..GFX9 },
    Target { name: "gfx90a", family: amdgpu(9, 0, 10), ..GFX90A },
    Target { name: "gfx90c", family: amdgpu(9, 0, 12), ..GFX9 },
    Target { name: "gfx942", family: amdgpu(9, 4, 2), ..GFX9_4 },
    Target { name: "gfx950", family: amdgpu(9, 5, 0), ..GFX9_4 },
    Target { name: "gfx9-generic", family: amdgpu(9, 0, 0), ..GFX9 },
    Target { name: "gfx9-4-generic", family: amdgpu(9, 4, 0), ..GFX9_4 },
    Target { name: "gfx1010", family: amdgpu(10, 1, 0), ..GFX10 },
    Target { name: "gfx1011", family: amdgpu(10, 1, 1), ..GFX10 },
    Target { name: "gfx1012", family: amdgpu(10, 1, 2), ..GFX10 },
    Target { name: "gfx1013", family: amdgpu(10, 1, 3), ..GFX10 },
    Target { name: "gfx1030", family: amdgpu(10, 3, 0), ..GFX10 },
    Target { name: "gfx1031", family: amdgpu(10, 3, 1), ..GFX10 },
    Target { name: "gfx1032", family: amdgpu(10, 3, 2), ..GFX10 },
    Target { name: "gfx1033", family: amdgpu(10, 3, 3), ..GFX10 },
    Target { name: "gfx1034", family: amdgpu(10, 3, 4), ..GFX10 },
    Target { name: "gfx1035", family: amdgpu(10, 3, 5), ..GFX10 },
    Target { name: "gfx1036", family: amdgpu(10, 3, 6), ..GFX10 },
    Target { name: "gfx10-1-generic", family: amdgpu(10, 1, 0), ..GFX10 },
    Target { name: "gfx10-3-generic", family: amdgpu(10, 3, 0), ..GFX10 },
    Target { name: "gfx1100", family: amdgpu(11, 0, 0), ..GFX11 },
    Target { name: "gfx1101", family: amdgpu(11, 0, 1), ..GFX11 },
    Target { name: "gfx1102", family: amdgpu(11, 0, 2), ..GFX11 },
    Target { name: "gfx1103", family: amdgpu(11, 0, 3), ..GFX11 },
    Target { name: "gfx1150", family: amdgpu(11, 5, 0), ..GFX11 },
    Target { name: "gfx1151", family: amdgpu(11, 5, 1), ..GFX11 },
    Target { name: "gfx1152", family: amdgpu(11, 5, 2), ..GFX11 },
    Target { name: "gfx1153", family: amdgpu(11, 5, 3), ..GFX11 },
    Target { name: "gfx11-generic", family: amdgpu(11, 0, 0), ..GFX11 },
    Target { name: "gfx1200", family: amdgpu(12, 0, 0), ..GFX12 },
    Target { name: "gfx1201", family: amdgpu(12, 0, 1), ..GFX12 },
    Target { name: "gfx12-generic", family: amdgpu(12, 0, 0), ..GFX12 },
    Target { name: "gfx1250", family: amdgpu(12, 5, 0), ..GFX12_5 },
    Target { name: "gfx1251", family: amdgpu(12, 5, 1), ..GFX12_5 },
    Target { name: "sm_70", ..NVIDIA },
    Target { name: "sm_75", ..NVIDIA },
    Target { name: "sm_80", ..NVIDIA },
    Target { name: "sm_86", ..NVIDIA },
    Target { name: "sm_89", ..NVIDIA },
    Target { name: "sm_90", ..NVIDIA },
    Target { name: "sm_100", ..NVIDIA },
    Target { name: "sm_103", ..NVIDIA },
    Target { name: "sm_120", ..NVIDIA },
    Target { name: "opencl", family: Family::Opencl, ..NVIDIA },
];

impl Target {
    /// Whether a judgement cannot distinguish two targets: they differ at most in name and version. The name of an NVIDIA
    /// target is its compute capability, which decides its features.
    #[must_use]
    pub fn judges_like(&self, other: &Self) -> bool {
        let kind = |target: &Self| core::mem::discriminant(&target.family);
        let nameless = |target: &Self| Self { name: "", family: Family::Model, ..*target };
        let capability = self.family != Family::Nvidia || self.name == other.name;
        kind(self) == kind(other) && nameless(self) == nameless(other) && capability
    }

    /// The maximum number of lanes of a wave, or threads of a warp; `None` if sub-groups have any size. AMDGPU processors have
    /// waves of 64 lanes up to GFX12.0, and only of 32 lanes on GFX12.5 (LLVM 22).
    #[must_use]
    pub const fn most_lanes(&self) -> Option<u32> {
        match self.family {
            Family::Model | Family::Opencl => None,
            Family::Nvidia => Some(32),
            Family::Amdgpu { .. } if self.named_barriers => Some(32),
            Family::Amdgpu { .. } => Some(64),
        }
    }

    /// Whether the target has the machine instruction. The target `model` has all.
    #[must_use]
    pub const fn has(&self, mnemonic: Mnemonic) -> bool {
        match self.family {
            Family::Model => true,
            Family::Nvidia | Family::Opencl => false,
            Family::Amdgpu { .. } => self.amdgpu_has(mnemonic),
        }
    }

    /// The maximum operand of `s_waitcnt` for a counter, which is the width of its field.
    #[must_use]
    pub const fn most(&self, counter: Counter) -> u16 {
        let Family::Amdgpu { major, .. } = self.family else { return u16::MAX };
        match (counter, major) {
            (Counter::Exp, _) => 7,
            (Counter::Vm, ..9) | (Counter::Lgkm, ..10) => 15,
            _ => 63,
        }
    }

    /// Whether a target has an instruction: for barriers by the documents, for counters and caches by the LLVM 22 assembler.
    const fn amdgpu_has(&self, mnemonic: Mnemonic) -> bool {
        match mnemonic {
            Mnemonic::SBarrier => !self.split_barriers,
            Mnemonic::SBarrierSignal
            | Mnemonic::SBarrierSignalIsfirst
            | Mnemonic::SBarrierWait
            | Mnemonic::SGetBarrierState => self.split_barriers,
            Mnemonic::SBarrierInit | Mnemonic::SBarrierJoin | Mnemonic::SBarrierLeave => {
                self.named_barriers
            }
            Mnemonic::BufferWbinvl1
            | Mnemonic::BufferWbinvl1Vol
            | Mnemonic::BufferInvl2
            | Mnemonic::BufferWbl2
            | Mnemonic::BufferInv
            | Mnemonic::BufferGl0Inv
            | Mnemonic::BufferGl1Inv
            | Mnemonic::GlobalInv
            | Mnemonic::GlobalWb => self.caches.have(mnemonic),
            _ => self.counters.have(mnemonic),
        }
    }
}

impl Counters {
    /// Whether a wait for counters exists on targets with these counters.
    const fn have(self, mnemonic: Mnemonic) -> bool {
        match mnemonic {
            Mnemonic::SWaitcnt => {
                matches!(self, Self::Waitcnt | Self::WaitcntVscnt | Self::Split)
            }
            Mnemonic::SWaitcntVmcnt
            | Mnemonic::SWaitcntExpcnt
            | Mnemonic::SWaitcntLgkmcnt
            | Mnemonic::SWaitcntVscnt => matches!(self, Self::WaitcntVscnt),
            Mnemonic::SWaitLoadcnt
            | Mnemonic::SWaitStorecnt
            | Mnemonic::SWaitDscnt
            | Mnemonic::SWaitLoadcntDscnt
            | Mnemonic::SWaitStorecntDscnt
            | Mnemonic::SWaitKmcnt => self.are_split(),
            Mnemonic::SWaitExpcnt | Mnemonic::SWaitSamplecnt | Mnemonic::SWaitBvhcnt => {
                matches!(self, Self::Split)
            }
            Mnemonic::SWaitXcnt | Mnemonic::SWaitAsynccnt | Mnemonic::SWaitTensorcnt => {
                matches!(self, Self::SplitAsync)
            }
            Mnemonic::SWaitIdle => matches!(self, Self::WaitcntVscnt) || self.are_split(),
            _ => false,
        }
    }

    /// Whether each counter has only its own instruction.
    #[must_use]
    pub const fn are_split(self) -> bool {
        matches!(self, Self::Split | Self::SplitAsync)
    }

    /// The counters, by name.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Waitcnt => &["vmcnt", "expcnt", "lgkmcnt"],
            Self::WaitcntVscnt => &["vmcnt", "vscnt", "expcnt", "lgkmcnt"],
            Self::Split => {
                &["loadcnt", "storecnt", "dscnt", "kmcnt", "expcnt", "samplecnt", "bvhcnt"]
            }
            Self::SplitAsync => {
                &["loadcnt", "storecnt", "dscnt", "kmcnt", "xcnt", "asynccnt", "tensorcnt"]
            }
            Self::All => &["all"],
        }
    }
}

impl Caches {
    /// Whether a cache instruction exists.
    const fn have(self, mnemonic: Mnemonic) -> bool {
        match mnemonic {
            Mnemonic::BufferWbinvl1 => {
                matches!(self, Self::Wbinvl1 | Self::Wbinvl1Vol | Self::Wbinvl1VolL2)
            }
            Mnemonic::BufferWbinvl1Vol => matches!(self, Self::Wbinvl1Vol | Self::Wbinvl1VolL2),
            Mnemonic::BufferInvl2 => matches!(self, Self::Wbinvl1VolL2),
            Mnemonic::BufferWbl2 => matches!(self, Self::Wbinvl1VolL2 | Self::ScopeBits),
            Mnemonic::BufferInv => matches!(self, Self::ScopeBits),
            Mnemonic::BufferGl0Inv | Mnemonic::BufferGl1Inv => matches!(self, Self::GlInv),
            Mnemonic::GlobalInv | Mnemonic::GlobalWb => {
                matches!(self, Self::GlobalInv | Self::GlobalInvCluster)
            }
            _ => false,
        }
    }
}

impl TargetId {
    /// Its row.
    #[must_use]
    pub fn get(self) -> &'static Target {
        &TARGETS[self.0 as usize]
    }

    /// The target with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        TARGETS.iter().position(|target| target.name == name).map(|index| Self(index as u16))
    }

    /// Every target, in the order of the table.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..TARGETS.len() as u16).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn named(holds: impl Fn(&Target) -> bool) -> Vec<&'static str> {
        TARGETS.iter().filter(|target| holds(target)).map(|target| target.name).collect()
    }

    #[test]
    fn names_are_unique_and_found() {
        for id in TargetId::all() {
            assert_eq!(TargetId::from_name(id.get().name), Some(id));
        }
        assert_eq!(TargetId::from_name("gfx1151").map(|id| id.get().name), Some("gfx1151"));
        assert_eq!(TargetId::from_name(""), None);
    }

    #[test]
    fn names_spell_their_versions() {
        for target in TARGETS {
            let Family::Amdgpu { major, minor, stepping } = target.family else { continue };
            let spelled = match target.name.strip_suffix("-generic") {
                None => alloc::format!("gfx{major}{minor:x}{stepping:x}"),
                Some(stem) if stem.contains('-') => alloc::format!("gfx{major}-{minor}-generic"),
                Some(_) => alloc::format!("gfx{major}-generic"),
            };
            assert_eq!(target.name, spelled);
        }
    }

    #[test]
    fn barrier_features_are_those_of_the_availability_columns() {
        let bare_and_drained =
            named(|target| target.has(Mnemonic::SBarrier) && !target.back_off_barrier);
        let expected = "gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx801 gfx802 gfx803 gfx805 \
                        gfx810 gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c gfx9-generic";
        assert_eq!(bare_and_drained, expected.split(' ').collect::<Vec<_>>());
        let split = ["model", "gfx1200", "gfx1201", "gfx12-generic", "gfx1250", "gfx1251"];
        assert_eq!(named(|target| target.split_barriers), split);
        assert_eq!(named(|target| target.named_barriers), ["model", "gfx1250", "gfx1251"]);
        assert_eq!(named(|target| target.cluster_barriers), ["model", "gfx1250", "gfx1251"]);
    }

    #[test]
    fn bare_and_split_barriers_exclude_each_other_on_processors() {
        for target in TARGETS {
            if let Family::Amdgpu { .. } = target.family {
                assert_ne!(
                    target.has(Mnemonic::SBarrier),
                    target.has(Mnemonic::SBarrierSignal),
                    "{}",
                    target.name
                );
            }
        }
    }

    #[test]
    fn counters_for_stores_are_separate_only_on_gfx10_and_gfx11() {
        for target in TARGETS {
            let expected =
                matches!(target.family, Family::Amdgpu { major: 10 | 11, .. } | Family::Model);
            assert_eq!(target.has(Mnemonic::SWaitcntVscnt), expected, "{}", target.name);
        }
    }
}
