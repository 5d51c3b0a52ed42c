//! Facts at each node of a body: the joined named barrier, and the memory operations that may be outstanding.

use super::fence;
use super::kinds::{self, Kinds};
use super::marks::Marks;
use super::scene::{Known, Scene};
use crate::mem::operation::{self as mem, Fence};
use crate::operation::{Action, Form, Object, Operation};
use crate::program::successors;
use crate::program::{Body, Node, NodeId};
use crate::target::{Counters, Target};
use alloc::vec::Vec;

/// The object that an agent joined last, if every path to a node agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// No object, or a dropped one.
    Nothing,
    /// This object.
    Object(Object),
    /// Different objects on different paths.
    Depends,
}

/// The facts before an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) joined: Joined,
    pub(super) outstanding: Kinds,
    /// Async marks, and the operations started after each.
    pub(super) marks: Marks,
    /// Whether a wait on a barrier was the last operation.
    after_wait: bool,
}

impl Flow {
    fn merge(self, other: Self) -> Self {
        Self {
            joined: if self.joined == other.joined { self.joined } else { Joined::Depends },
            outstanding: self.outstanding | other.outstanding,
            marks: self.marks.merge(other.marks),
            after_wait: self.after_wait && other.after_wait,
        }
    }

    /// If the scenario has no memory operations, any operation may be outstanding after a barrier and its fence.
    fn enter(mut self, operation: Option<Operation>, scene: Scene) -> Self {
        let acquires = operation.and_then(fence_of).is_some_and(|fence| fence.acquire);
        if scene.known == Known::Nothing && self.after_wait && !acquires {
            self.outstanding = Kinds::ALL;
        }
        self
    }

    fn leave(mut self, operation: Operation, scene: Scene) -> Self {
        self.joined = joined(self.joined, operation.action);
        self.after_wait = matches!(operation.action, Action::Wait { .. });
        self.outstanding = self.outstanding | begun(operation.action, scene);
        self.outstanding = self.outstanding.without(drained(operation, scene));
        self.marks =
            self.marks.following(operation.action, counts_with_copies(operation.action, scene));
        let acquires = fence_of(operation).is_some_and(|fence| fence.acquire);
        if scene.known == Known::Nothing && acquires {
            self.outstanding = Kinds::ALL;
        }
        self
    }
}

/// The kinds without outstanding operations after an operation.
fn drained(operation: Operation, scene: Scene) -> Kinds {
    match operation.action {
        Action::Memory(mem::Memory::Fence(fence)) => fence::drains(fence, scene.target),
        Action::Memory(mem::Memory::Wait(waits)) => kinds::drained_by(waits, scene.target),
        _ if is_drained(operation, scene.target) => Kinds::ALL,
        _ => Kinds::NONE,
    }
}

/// Whether the waits inserted before the operation leave nothing outstanding.
pub(super) fn is_drained(operation: Operation, target: &Target) -> bool {
    let arrives = matches!(operation.action, Action::Arrive { .. });
    arrives && !target.split_barriers && !target.back_off_barrier && !is_bare_barrier(operation)
}

fn joined(before: Joined, action: Action) -> Joined {
    match (action, before) {
        (Action::Join { object }, _) => Joined::Object(object),
        (Action::Leave, Joined::Object(Object::Named(_))) => Joined::Nothing,
        (Action::Drop { object }, Joined::Object(joined)) if object == joined => Joined::Nothing,
        (_, before) => before,
    }
}

/// The fence of an operation.
pub(super) fn fence_of(operation: Operation) -> Option<Fence> {
    match operation.action {
        Action::Memory(mem::Memory::Fence(fence)) => Some(fence),
        _ => None,
    }
}

/// Whether an operation increments the counter of copies.
fn counts_with_copies(action: Action, scene: Scene) -> bool {
    if matches!(action, Action::Memory(mem::Memory::Copy { .. })) {
        return true;
    }
    let begun = begun(action, scene);
    match scene.target.counters {
        Counters::Waitcnt => begun.meets(Kinds::LOADS) || begun.meets(Kinds::STORES),
        Counters::WaitcntVscnt => begun.meets(Kinds::LOADS),
        _ => false,
    }
}

/// The kinds that an operation on memory makes outstanding.
fn begun(action: Action, scene: Scene) -> Kinds {
    let Action::Memory(memory) = action else { return Kinds::NONE };
    let is_local = |range: mem::Range| {
        let buffer = scene.buffers.get(usize::from(range.buffer));
        buffer.is_some_and(|buffer| buffer.space == mem::Space::Local)
    };
    match memory {
        mem::Memory::Load(range) | mem::Memory::Store(range) if is_local(range) => Kinds::LOCAL,
        mem::Memory::Load(_) => Kinds::LOADS,
        mem::Memory::Store(_) if scene.target.stores_in_expcnt => Kinds::STORES | Kinds::EXPORTS,
        mem::Memory::Store(_) => Kinds::STORES,
        // LDS-DMA counts as a load; later copies have a counter that fences and barriers do not wait for.
        mem::Memory::Copy { .. } if scene.target.lds_dma => Kinds::LOADS,
        _ => Kinds::NONE,
    }
}

fn operation_of(node: &Node) -> Option<Operation> {
    match node {
        Node::Operation { operation, .. } => Some(*operation),
        _ => None,
    }
}

/// Returns the facts at each node; `None` if no path reaches it.
pub(super) fn analyse(body: &Body, scene: Scene) -> Vec<Option<Flow>> {
    let mut flows: Vec<Option<Flow>> = alloc::vec![None; body.nodes.len()];
    let mut work: Vec<(NodeId, Flow)> = alloc::vec![(0, start(scene.known))];
    while let Some((id, flow)) = work.pop() {
        let Some(node) = body.nodes.get(id as usize) else { continue };
        let operation = operation_of(node);
        let flow = flow.enter(operation, scene);
        let known = flows[id as usize];
        let merged = known.map_or(flow, |known| known.merge(flow));
        if known == Some(merged) {
            continue;
        }
        flows[id as usize] = Some(merged);
        let after = operation.map_or(merged, |operation| merged.leave(operation, scene));
        work.extend(successors(node).iter().map(|&next| (next, after)));
    }
    flows
}

/// The facts at launch: nothing is outstanding, unless the scenario has no memory operations.
fn start(known: Known) -> Flow {
    let outstanding = match known {
        Known::Nothing => Kinds::ALL,
        Known::Outstanding(kinds) => kinds,
    };
    Flow { joined: Joined::Nothing, outstanding, marks: Marks::default(), after_wait: false }
}

/// Whether an operation is one half of an `s_barrier` that the scenario contains.
pub(super) fn is_bare_barrier(operation: Operation) -> bool {
    operation.form == Form::Machine(crate::operation::Mnemonic::SBarrier)
}
