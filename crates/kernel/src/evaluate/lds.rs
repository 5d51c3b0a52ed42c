//! Barriers in LDS (AMDGPU, GFX12.5): words of 64 bits that count arrivals.
//!
//! A word has the pending count in bits 28:0, the number of the phase in bits 31:29, and the count with which the next phase
//! begins in bits 63:32. An arrival when the pending count is 0 completes the phase. A word that is initialised with N is an
//! mbarrier object with an expected count of N + 1, and a loop that loads bit 29 is a wait for a parity. Only arrivals show
//! which words are barriers, so a kernel is evaluated again when they are known.
//!
//! The machine of mbarrier objects judges such a kernel. The workgroup barrier is the cluster barrier of a cluster of one
//! workgroup, a named barrier is an mbarrier object, and marks are groups of copies. LDS performs the operations of a wave in
//! order: an arrival releases the earlier accesses of its wave to LDS, and a wait acquires for the later ones. The order of
//! accesses to global memory is not modelled.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::mem::operation::{self as mem, Memory, Range, Scope};
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::action::{Action as Ptx, Order, Queue, Spelling};

/// The number that represents the memory of named barriers in the list of mbarrier objects.
pub(super) const NAMED: u32 = u32::MAX;

/// The barriers in LDS that are known.
#[derive(Debug, Default)]
pub(crate) struct Lds {
    /// The words that an earlier evaluation found: the object and the offset. They are the first mbarrier objects.
    pub(super) words: Vec<(u32, u64)>,
    /// The expected counts of named barriers, by ID.
    pub(super) counts: RefCell<OrderedMap<u8, i64>>,
    /// Whether the evaluation only looks for the next wait of an agent.
    pub(super) looks_ahead: Cell<bool>,
}

impl Lds {
    /// Whether the evaluation only looks for the next wait of an agent, and performs nothing.
    pub(super) fn looks_ahead(&self) -> bool {
        self.looks_ahead.get()
    }

    /// Whether the kernel has barriers in LDS.
    pub(super) fn is_used(&self) -> bool {
        !self.words.is_empty()
    }

    /// An action of AMDGPU as one of the machine of mbarrier objects, if there is one.
    pub(super) fn translated(&self, action: Action) -> Action {
        if !self.is_used() {
            return action;
        }
        let (order, aligned, queue) = (Order::Relaxed, None, Queue::Thread);
        let ptx = match action {
            Action::Arrive { object: Object::Workgroup, is_first: false, .. } => {
                Ptx::ClusterArrive { order, aligned }
            }
            Action::Wait { object: Object::Workgroup } => Ptx::ClusterWait { order, aligned },
            Action::Memory(Memory::Copy { to, from }) => copied(Some(to), Some(from)),
            Action::Memory(Memory::Mark) => Ptx::Commit { queue },
            Action::Memory(Memory::WaitMarks(most)) => {
                Ptx::WaitGroup { queue, most: Some(most.into()), read: false }
            }
            Action::Memory(Memory::Fence(fence))
                if fence.spaces.contains(mem::Space::Local) && fence.scope >= Scope::Workgroup =>
            {
                let mem::Fence { release, acquire, .. } = fence;
                Ptx::Fence { release, acquire, cluster: true }
            }
            Action::Memory(Memory::Fence(_)) => Ptx::Nothing,
            other => return other,
        };
        Action::Ptx(ptx, Spelling::Lds)
    }
}

/// An asynchronous copy. The wave waits for it, or a barrier signals its completion.
pub(super) fn copied(to: Option<Range>, from: Option<Range>) -> Ptx {
    let bytes = to.or(from).map_or(0, |range| i64::from(range.end - range.start));
    let (name, ranks, tile) = (None, None, None);
    Ptx::Copy { name, bulk: false, ranks, bytes, to, from, reduces: false, tile }
}
