//! Operations: one step of one agent on a barrier object or memory.
//!
//! An operation is resolved: its object, counts and mnemonic are values.

use crate::mem::operation::{Memory, Range, Scope};
use crate::ptx::action::{Action as Ptx, Reads};
use crate::ptx::tile::{self, Tile};
use crate::reading::{ReadingId, Readings};

/// A barrier object as an agent names it. The location of the agent selects the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Object {
    /// The workgroup barrier, ID -1: one for each workgroup, initialised at launch with the number of its waves.
    Workgroup,
    /// The cluster user barrier, ID -3: one for each cluster, initialised at launch with the number of its workgroups.
    Cluster,
    /// The NULL named barrier, ID 0: every operation but *join* is a no-op.
    Null,
    /// A named barrier, ID 1 to 16: one for each workgroup.
    Named(u8),
    /// A barrier object of the model without an ID, by its index among the scenario's declarations. Workgroup scope.
    Plain(u16),
    /// A trap barrier, ID -2 or -4: only for the trap handler.
    Trap(i8),
    /// An ID outside the tables.
    Outside(i64),
}

impl Object {
    /// The object with a barrier ID (`amdgpu-execution-synchronization`, table "s_barrier IDs GFX12").
    #[must_use]
    pub const fn from_id(id: i64) -> Self {
        match id {
            -1 => Self::Workgroup,
            -3 => Self::Cluster,
            -2 => Self::Trap(-2),
            -4 => Self::Trap(-4),
            0 => Self::Null,
            1..=16 => Self::Named(id as u8),
            _ => Self::Outside(id),
        }
    }

    /// The barrier ID, if the object has one.
    #[must_use]
    pub const fn id(self) -> Option<i64> {
        match self {
            Self::Workgroup => Some(-1),
            Self::Cluster => Some(-3),
            Self::Null => Some(0),
            Self::Named(id) => Some(id as i64),
            Self::Trap(id) => Some(id as i64),
            Self::Outside(id) => Some(id),
            Self::Plain(_) => None,
        }
    }

    /// Whether the object is a *named barrier object* (the NULL barrier is one).
    #[must_use]
    pub const fn is_named(self) -> bool {
        matches!(self, Self::Null | Self::Named(_))
    }
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// *init*: sets the expected count, and sets the arrive count to zero.
    Init {
        /// The object.
        object: Object,
        /// The new expected count, as written: it may be out of range.
        expected: i64,
    },
    /// *arrive*: increments the arrive count.
    Arrive {
        /// The object.
        object: Object,
        /// A new expected count, set before the increment.
        expected: Option<i64>,
        /// Whether the operation yields 1 for the first arrive of a phase and 0 for any other.
        is_first: bool,
    },
    /// *wait*: depends on a completed phase.
    Wait {
        /// The object that the operand names; a named wait acts on the object joined last.
        object: Object,
    },
    /// *drop*: decrements the expected count.
    Drop {
        /// The object.
        object: Object,
    },
    /// *join*: allows the agent to wait on a named barrier object.
    Join {
        /// The object.
        object: Object,
    },
    /// *drop* of the named barrier object that the agent joined last (`s_barrier_leave`).
    Leave,
    /// Reads the state word of an object.
    ReadState {
        /// The object.
        object: Object,
    },
    /// An operation on memory; it does not affect barrier objects.
    Memory(Memory),
    /// An operation of NVIDIA, and its spelling.
    Ptx(crate::ptx::action::Action, crate::ptx::action::Spelling),
    /// An operation of OpenCL.
    Opencl(crate::opencl::action::Action),
    /// Writes back or invalidates caches; it does not affect barrier objects.
    Caches,
    /// Sets the condition code (SCC) of the wave by a comparison of constants; it does not affect barrier objects.
    Condition(bool),
}

impl Action {
    /// The memory that it accesses through the async proxy of NVIDIA: a bulk copy or an operation of tensor cores.
    #[must_use]
    pub fn through_async_proxy(self) -> [Option<Range>; 2] {
        match self {
            Self::Ptx(Ptx::Copy { name: None, bulk: false, .. }, _) => [None; 2],
            Self::Ptx(Ptx::Copy { from, to, .. }, _) => [from, to],
            Self::Ptx(Ptx::Tensor { reads, .. }, _) => reads.map(Reads::range),
            _ => [None; 2],
        }
    }

    /// Whether it is a `fence.proxy.async`.
    #[must_use]
    pub const fn is_proxy_fence(self) -> bool {
        matches!(self, Self::Ptx(Ptx::Nothing, _))
    }

    /// The bytes that a load, a store or a copy of the model writes.
    #[must_use]
    pub fn written(self) -> Option<Range> {
        match self {
            Self::Memory(memory) => memory.accesses().1,
            _ => None,
        }
    }

    /// The expected count that the operation sets on an AMDGPU barrier object, as written, if it sets one.
    #[must_use]
    pub const fn sets_expected(self) -> Option<i64> {
        match self {
            Self::Init { expected, .. } => Some(expected),
            Self::Arrive { expected, .. } => expected,
            _ => None,
        }
    }

    /// The object that the operation names, if it names one.
    #[must_use]
    pub const fn object(self) -> Option<Object> {
        match self {
            Self::Init { object, .. }
            | Self::Arrive { object, .. }
            | Self::Wait { object }
            | Self::Drop { object }
            | Self::Join { object }
            | Self::ReadState { object } => Some(object),
            Self::Leave
            | Self::Memory(_)
            | Self::Caches
            | Self::Condition(_)
            | Self::Ptx(..)
            | Self::Opencl(_) => None,
        }
    }

    /// The operation with only its certain accesses, if its operands do not give all of them.
    #[must_use]
    pub const fn certain(self) -> Self {
        use crate::ptx::action::Action as Ptx;
        match self {
            Self::Ptx(Ptx::Tensor { reads: [one, two], pair, alone }, spelling) => {
                let reads = [one.certain(), two.certain()];
                Self::Ptx(Ptx::Tensor { reads, pair, alone }, spelling)
            }
            Self::Ptx(
                Ptx::Copy { name, bulk, ranks, bytes, to, from, reduces, tile: Some(tile) },
                spelling,
            ) => {
                let (to, from) = (tile::certain(to, tile), tile::certain(from, tile));
                let tile = Some(Tile { certain: true, ..tile });
                Self::Ptx(Ptx::Copy { name, bulk, ranks, bytes, to, from, reduces, tile }, spelling)
            }
            other => other,
        }
    }

    /// The operation without accesses.
    #[must_use]
    pub const fn without_accesses(self) -> Self {
        use crate::ptx::action::Action as Ptx;
        match self {
            Self::Memory(Memory::Load(range)) => Self::Memory(Memory::Load(range.emptied())),
            Self::Memory(Memory::Store(range)) => Self::Memory(Memory::Store(range.emptied())),
            Self::Memory(Memory::Copy { to, from }) => {
                Self::Memory(Memory::Copy { to: to.emptied(), from: from.emptied() })
            }
            Self::Ptx(
                Ptx::Copy { name, bulk, ranks, bytes, to, from, reduces, tile },
                spelling,
            ) => {
                let (to, from) = (emptied(to), emptied(from));
                let copy = Ptx::Copy { name, bulk, ranks, bytes, to, from, reduces, tile };
                Self::Ptx(copy, spelling)
            }
            other => other.certain(),
        }
    }
}

const fn emptied(range: Option<Range>) -> Option<Range> {
    match range {
        Some(range) => Some(range.emptied()),
        None => None,
    }
}

/// AMDGPU machine instructions that the scenario language reads and that some target does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // each is the instruction of that name
pub enum Mnemonic {
    SBarrier,
    SBarrierSignal,
    SBarrierSignalIsfirst,
    SBarrierWait,
    SBarrierInit,
    SBarrierJoin,
    SBarrierLeave,
    SGetBarrierState,
    SWaitcnt,
    SWaitcntVmcnt,
    SWaitcntExpcnt,
    SWaitcntLgkmcnt,
    SWaitcntVscnt,
    SWaitLoadcnt,
    SWaitStorecnt,
    SWaitDscnt,
    SWaitKmcnt,
    SWaitExpcnt,
    SWaitSamplecnt,
    SWaitBvhcnt,
    SWaitLoadcntDscnt,
    SWaitStorecntDscnt,
    SWaitXcnt,
    SWaitAsynccnt,
    SWaitTensorcnt,
    SWaitIdle,
    BufferWbinvl1,
    BufferWbinvl1Vol,
    BufferInvl2,
    BufferWbl2,
    BufferInv,
    BufferGl0Inv,
    BufferGl1Inv,
    GlobalInv,
    GlobalWb,
}

impl Mnemonic {
    /// Every instruction with its name, in the order of the type.
    pub const NAMED: [(Self, &'static str); 35] = [
        (Self::SBarrier, "s_barrier"),
        (Self::SBarrierSignal, "s_barrier_signal"),
        (Self::SBarrierSignalIsfirst, "s_barrier_signal_isfirst"),
        (Self::SBarrierWait, "s_barrier_wait"),
        (Self::SBarrierInit, "s_barrier_init"),
        (Self::SBarrierJoin, "s_barrier_join"),
        (Self::SBarrierLeave, "s_barrier_leave"),
        (Self::SGetBarrierState, "s_get_barrier_state"),
        (Self::SWaitcnt, "s_waitcnt"),
        (Self::SWaitcntVmcnt, "s_waitcnt_vmcnt"),
        (Self::SWaitcntExpcnt, "s_waitcnt_expcnt"),
        (Self::SWaitcntLgkmcnt, "s_waitcnt_lgkmcnt"),
        (Self::SWaitcntVscnt, "s_waitcnt_vscnt"),
        (Self::SWaitLoadcnt, "s_wait_loadcnt"),
        (Self::SWaitStorecnt, "s_wait_storecnt"),
        (Self::SWaitDscnt, "s_wait_dscnt"),
        (Self::SWaitKmcnt, "s_wait_kmcnt"),
        (Self::SWaitExpcnt, "s_wait_expcnt"),
        (Self::SWaitSamplecnt, "s_wait_samplecnt"),
        (Self::SWaitBvhcnt, "s_wait_bvhcnt"),
        (Self::SWaitLoadcntDscnt, "s_wait_loadcnt_dscnt"),
        (Self::SWaitStorecntDscnt, "s_wait_storecnt_dscnt"),
        (Self::SWaitXcnt, "s_wait_xcnt"),
        (Self::SWaitAsynccnt, "s_wait_asynccnt"),
        (Self::SWaitTensorcnt, "s_wait_tensorcnt"),
        (Self::SWaitIdle, "s_wait_idle"),
        (Self::BufferWbinvl1, "buffer_wbinvl1"),
        (Self::BufferWbinvl1Vol, "buffer_wbinvl1_vol"),
        (Self::BufferInvl2, "buffer_invl2"),
        (Self::BufferWbl2, "buffer_wbl2"),
        (Self::BufferInv, "buffer_inv"),
        (Self::BufferGl0Inv, "buffer_gl0_inv"),
        (Self::BufferGl1Inv, "buffer_gl1_inv"),
        (Self::GlobalInv, "global_inv"),
        (Self::GlobalWb, "global_wb"),
    ];

    /// Its name, as LLVM prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMED[self as usize].1
    }
}

/// Intrinsics of LLVM that the compiler treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Intrinsic {
    /// `llvm.amdgcn.s.barrier`: an *arrive* and a *wait*.
    SBarrier,
    /// `llvm.amdgcn.s.barrier.signal`
    SBarrierSignal,
    /// `llvm.amdgcn.s.barrier.signal.var`
    SBarrierSignalVar,
    /// `llvm.amdgcn.s.barrier.signal.isfirst`
    SBarrierSignalIsfirst,
    /// `llvm.amdgcn.s.barrier.init`
    SBarrierInit,
    /// `llvm.amdgcn.s.barrier.join`
    SBarrierJoin,
    /// `llvm.amdgcn.s.barrier.leave`
    SBarrierLeave,
    /// `llvm.amdgcn.s.barrier.wait`
    SBarrierWait,
    /// `llvm.amdgcn.s.get.barrier.state`
    SGetBarrierState,
    /// `llvm.amdgcn.s.get.named.barrier.state`
    SGetNamedBarrierState,
    /// `fence`
    Fence,
    /// `llvm.amdgcn.asyncmark`, `llvm.amdgcn.wait.asyncmark` and asynchronous copies from global memory.
    Async,
    /// Asynchronous copies from buffers.
    AsyncBuffer,
}

/// The spelling of an operation in the scenario, which decides the targets that support it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Form {
    /// A word of the model (`arrive wg`).
    Word,
    /// An AMDGPU machine instruction. `s_barrier` is two operations of this form, an *arrive* and a *wait*.
    Machine(Mnemonic),
    /// An LLVM intrinsic that a compiler lowers for each target. `llvm.amdgcn.s.barrier` is an *arrive* and a *wait*.
    Intrinsic(Intrinsic),
}

/// One operation: its effect and its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Operation {
    /// Its effect.
    pub action: Action,
    /// Its spelling.
    pub form: Form,
    /// Whether the occurrence or address of its accesses depends on data: a conflict with them is possible but not certain.
    pub possible: bool,
    /// Whether control flow of its agent depended on data in memory before this operation.
    pub decided: bool,
    /// The condition on data under which it happens, as an index of [`crate::program::Program::whens`] from 1; 0 is none.
    pub when: u16,
    /// Which accesses of other agents its accesses never race with.
    pub alike: Alike,
}

/// Accesses that never race with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Alike {
    /// It races with every access that conflicts with it.
    #[default]
    None,
    /// It is atomic: it does not race with atomic accesses if each reaches the agent of the other.
    Atomic(Reach),
    /// It stores a number to bytes: it does not race with other stores of this number to these bytes. The program gives each
    /// pair of a number and bytes its own index.
    Store(u16),
    /// A copy of the work-group makes it, which `wait_group_events` orders. It races like any other.
    Copied,
}

impl Alike {
    /// An atomic access that reaches all agents.
    pub const ATOMIC: Self = Self::Atomic(Reach::ALL);

    /// Whether two accesses never race, wherever they are.
    #[must_use]
    pub const fn excuses(self, other: Self) -> bool {
        match (self, other) {
            (Self::Atomic(one), Self::Atomic(other)) => one.is_mutual(other),
            (Self::Store(one), Self::Store(other)) => one == other,
            _ => false,
        }
    }

    /// Whether it is atomic.
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic(_))
    }

    /// A number for it.
    pub(crate) const fn pack(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Copied => 1,
            Self::Store(index) => (index as u64) << 2 | 2,
            Self::Atomic(Reach { scope, group, cluster }) => {
                let groups = (group as u64) << 16 | cluster as u64;
                groups << 5 | (scope as u64) << 2 | 3
            }
        }
    }

    /// The one with a number.
    pub(crate) const fn unpack(number: u64) -> Self {
        match number & 3 {
            0 => Self::None,
            1 => Self::Copied,
            2 => Self::Store((number >> 2) as u16),
            _ => {
                let scope = match number >> 2 & 7 {
                    0 => Scope::Wavefront,
                    1 => Scope::Workgroup,
                    2 => Scope::Cluster,
                    3 => Scope::Agent,
                    _ => Scope::System,
                };
                let group = (number >> 21) as u16;
                Self::Atomic(Reach { scope, group, cluster: (number >> 5) as u16 })
            }
        }
    }
}

/// The agents for which an access is atomic: those in the same instance of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reach {
    /// Its scope. `Wavefront` is the agent itself.
    pub scope: Scope,
    /// The workgroup of its agent; 0 where all atomic accesses of the program reach all agents.
    pub group: u16,
    /// The cluster of its agent; 0 likewise.
    pub cluster: u16,
}

impl Reach {
    /// All agents.
    pub const ALL: Self = Self { scope: Scope::System, group: 0, cluster: 0 };

    const fn covers(self, other: Self) -> bool {
        match self.scope {
            Scope::Wavefront => false,
            Scope::Workgroup => self.group == other.group,
            Scope::Cluster => self.cluster == other.cluster,
            Scope::Agent | Scope::System => true,
        }
    }

    /// Whether each of two accesses of different agents reaches the agent of the other.
    const fn is_mutual(self, other: Self) -> bool {
        self.covers(other) && other.covers(self)
    }
}

impl Operation {
    /// An operation that does not depend on data.
    #[must_use]
    pub const fn new(action: Action, form: Form) -> Self {
        Self { action, form, possible: false, decided: false, when: 0, alike: Alike::None }
    }

    /// The expected count that an *init* sets: for `s_barrier_init`, seven bits of m0 (reading `amd.A18`). Zero for any other
    /// operation.
    #[must_use]
    pub const fn initial(self, readings: Readings) -> i64 {
        match (self.action, self.form) {
            (Action::Init { expected, .. }, Form::Machine(_))
                if readings.is_default(ReadingId::AmdA18) =>
            {
                expected & 0x7f
            }
            (Action::Init { expected, .. }, _) => expected,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mnemonic, Object};

    #[test]
    fn instructions_are_named_in_order() {
        for (index, (mnemonic, name)) in Mnemonic::NAMED.into_iter().enumerate() {
            assert_eq!((mnemonic as usize, mnemonic.name()), (index, name));
        }
    }

    #[test]
    fn every_id_of_the_table_round_trips() {
        for id in -6..=20 {
            let object = Object::from_id(id);
            assert_eq!(object.id(), Some(id));
            assert_eq!(object.is_named(), (0..=16).contains(&id));
        }
    }
}
