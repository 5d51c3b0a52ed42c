//! The lowering of a fence: the outstanding operations that it waits for, and the caches that it writes back and
//! invalidates.
//!
//! The documents do not specify it. This is the output of LLVM 22.1.8 for `fence` in its default modes (waves of a
//! workgroup run on one compute unit up to GFX9, on a pair of them from GFX10 on). The assembler test measures it
//! again.

use super::instruction::{Instruction, Policy};
use super::kinds::Kinds;
use crate::mem::operation::{Fence, Scope, Space};
use crate::operation::Mnemonic;
use crate::target::{Caches, Counters, Target};
use alloc::vec::Vec;

/// The kinds of operations that must not be outstanding after the fence.
#[must_use]
pub fn drains(fence: Fence, target: &Target) -> Kinds {
    // Up to GFX9 the waves of a workgroup share a first-level cache, in which their accesses are ordered.
    let first = match target.counters {
        Counters::Waitcnt => Scope::Cluster,
        _ => Scope::Workgroup,
    };
    let mut kinds = Kinds::NONE;
    // With `one-as`, LDS needs no wait: a wave's accesses to it are ordered.
    if fence.spaces.contains(Space::Local) && !fence.one_as && fence.scope >= Scope::Workgroup {
        kinds = kinds | Kinds::LOCAL;
    }
    if fence.spaces.contains(Space::Global) && fence.scope >= first {
        kinds = kinds | Kinds::LOADS | Kinds::STORES;
    }
    kinds
}

/// The instructions that write caches back before the waits of a release fence.
#[must_use]
pub fn writes_back(fence: Fence, target: &Target) -> Vec<Instruction> {
    use Scope::{Agent, Cluster, System};
    if !fence.release || !fence.spaces.contains(Space::Global) {
        return Vec::new();
    }
    let back = match (target.caches, fence.scope) {
        (Caches::Wbinvl1VolL2, System) => Some((Mnemonic::BufferWbl2, Policy::Plain)),
        (Caches::ScopeBits, Cluster | Agent) => Some((Mnemonic::BufferWbl2, Policy::Sc1)),
        (Caches::ScopeBits, System) => Some((Mnemonic::BufferWbl2, Policy::Sc0Sc1)),
        (Caches::GlobalInvCluster, Agent) => Some((Mnemonic::GlobalWb, Policy::ScopeDev)),
        (Caches::GlobalInv | Caches::GlobalInvCluster, System) => {
            Some((Mnemonic::GlobalWb, Policy::ScopeSys))
        }
        _ => None,
    };
    back.map(|(mnemonic, policy)| Instruction::Cache(mnemonic, policy)).into_iter().collect()
}

/// The instructions that invalidate caches after the waits of an acquire fence.
#[must_use]
pub fn invalidates(fence: Fence, target: &Target) -> Vec<Instruction> {
    use Scope::{Agent, Cluster, System, Wavefront, Workgroup};
    if !fence.acquire || !fence.spaces.contains(Space::Global) || fence.scope == Wavefront {
        return Vec::new();
    }
    let plain = |mnemonic| (mnemonic, Policy::Plain);
    let caches: &[(Mnemonic, Policy)] = match (target.caches, fence.scope) {
        (Caches::Wbinvl1, Cluster | Agent | System) => &[plain(Mnemonic::BufferWbinvl1)],
        (Caches::Wbinvl1Vol, Cluster | Agent | System)
        | (Caches::Wbinvl1VolL2, Cluster | Agent) => &[plain(Mnemonic::BufferWbinvl1Vol)],
        (Caches::Wbinvl1VolL2, System) => {
            &[plain(Mnemonic::BufferInvl2), plain(Mnemonic::BufferWbinvl1Vol)]
        }
        (Caches::ScopeBits, Cluster | Agent) => &[(Mnemonic::BufferInv, Policy::Sc1)],
        (Caches::ScopeBits, System) => &[(Mnemonic::BufferInv, Policy::Sc0Sc1)],
        (Caches::GlInv, Workgroup) => &[plain(Mnemonic::BufferGl0Inv)],
        (Caches::GlInv, _) => &[plain(Mnemonic::BufferGl1Inv), plain(Mnemonic::BufferGl0Inv)],
        (Caches::GlobalInv, Workgroup) | (Caches::GlobalInvCluster, Cluster) => {
            &[(Mnemonic::GlobalInv, Policy::ScopeSe)]
        }
        (Caches::GlobalInv, Cluster | Agent) | (Caches::GlobalInvCluster, Agent) => {
            &[(Mnemonic::GlobalInv, Policy::ScopeDev)]
        }
        (Caches::GlobalInv | Caches::GlobalInvCluster, System) => {
            &[(Mnemonic::GlobalInv, Policy::ScopeSys)]
        }
        _ => &[],
    };
    caches.iter().map(|&(mnemonic, policy)| Instruction::Cache(mnemonic, policy)).collect()
}
