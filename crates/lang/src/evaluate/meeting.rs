//! Whether threads of one warp have unordered conflicting accesses.
//!
//! A warp is one agent, so its threads are not checked against each other; a verdict that ignores such accesses must
//! not be `ok`. For each access of a thread, the paths after it determine which other threads have synchronised with
//! it: at a barrier, at `bar.warp.sync`, or by a wait after an arrival. An access to the same bytes by any other thread
//! conflicts with it.

use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Access;
use tidegate_model::operation::{Action as Any, Alike, Operation};
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::{Action, Bar, Name, Order, Patience, Place};

/// Largest number of steps of the search; beyond it, the accesses count as conflicting.
const MOST_STEPS: usize = 4_000_000;

/// Threads of a warp.
const WARP: usize = 32;

/// A released object by its index, or one of the following bits.
const CLUSTER: u64 = 1 << 62;
const BARRIER: u64 = 1 << 61;
const OBJECTS: u16 = 61;
/// A fence, after which relaxed arrivals release.
const FENCE: u64 = 1 << 63;

/// An access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touch {
    lane: usize,
    access: Access,
    alike: Alike,
}

impl Touch {
    fn meets(self, other: Self) -> bool {
        self.lane != other.lane
            && !self.alike.excuses(other.alike)
            && self.access.conflicts(other.access)
    }
}

/// For each thread, the threads that have synchronised with it, itself included, and the objects that have released for
/// it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ordered([(u32, u64); WARP]);

/// The accesses of the threads of a warp, by node.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    /// For each node, the threads that perform it.
    by: Vec<u32>,
    /// For each node, the index of its accesses in `shapes`.
    of: Vec<Option<usize>>,
    shapes: Vec<Vec<Touch>>,
    /// Whether other warps can order the threads of this one.
    others: bool,
}

impl Meeting {
    /// A warp; `others` if there are other warps.
    pub(super) fn of(others: bool) -> Self {
        Self { others, ..Self::default() }
    }

    /// Adds a node.
    pub(super) fn node(&mut self) {
        self.by.push(0);
        self.of.push(None);
    }

    /// Records the threads that perform the last node, each with its operation; with `alike`, the first operation
    /// represents all.
    pub(super) fn performed(
        &mut self,
        each: impl Iterator<Item = (usize, Operation)>,
        alike: bool,
    ) {
        let (mut mask, mut shape) = (0, Vec::new());
        for (lane, operation) in each {
            let lanes = if alike { 0..2 } else { lane..lane + 1 };
            for lane in lanes {
                mask |= 1 << (lane % WARP);
                let alike = operation.alike;
                shape.extend(touched(operation.action).map(|access| Touch { lane, access, alike }));
            }
        }
        if let (Some(by), Some(of)) = (self.by.last_mut(), self.of.last_mut()) {
            *by = mask;
            if !shape.is_empty() {
                let known = self.shapes.iter().rposition(|one| *one == shape);
                *of = Some(known.unwrap_or(self.shapes.len()));
                if known.is_none() {
                    self.shapes.push(shape);
                }
            }
        }
    }

    /// Two nodes with conflicting accesses, if there are any; the inner `None` if the search needs too many steps.
    pub(super) fn met(&self, nodes: &[Node]) -> Option<Option<(NodeId, NodeId)>> {
        let mut steps = MOST_STEPS;
        let met = self.first(nodes, &mut steps);
        if steps == 0 { Some(None) } else { met.map(Some) }
    }

    fn first(&self, nodes: &[Node], steps: &mut usize) -> Option<(NodeId, NodeId)> {
        for (shape, own) in self.shapes.iter().enumerate() {
            let against: Vec<Option<[u32; WARP]>> =
                self.shapes.iter().map(|other| against(own, other, steps)).collect();
            if against.iter().all(Option::is_none) {
                continue;
            }
            let from = (0..).zip(&self.of).filter(|(_, of)| **of == Some(shape));
            for (node, _) in from {
                if let Some(met) = self.first_conflict(nodes, node, &against, steps) {
                    return Some((node, met));
                }
            }
        }
        None
    }

    /// The first node from this one on with an access that conflicts with an access of this node.
    fn first_conflict(
        &self,
        nodes: &[Node],
        from: NodeId,
        against: &[Option<[u32; WARP]>],
        steps: &mut usize,
    ) -> Option<NodeId> {
        let meets = |node: NodeId, order: &Ordered| {
            let of = self.of.get(node as usize).copied().flatten()?;
            let against = against.get(of)?.as_ref()?;
            let mut each = against.iter().zip(&order.0);
            each.any(|(others, (synchronised, _))| others & !synchronised != 0).then_some(node)
        };
        let first = self.start(&nodes[from as usize]);
        if let Some(met) = meets(from, &first) {
            return Some(met);
        }
        let mut reached: Vec<Option<Ordered>> = alloc::vec![None; nodes.len()];
        let mut open: Vec<NodeId> = Vec::new();
        let mut enter = |node: NodeId, order: Ordered, open: &mut Vec<NodeId>| {
            let known = &mut reached[node as usize];
            let merged = known.map_or(order, |known| known.both(&order));
            if *known != Some(merged) {
                *known = Some(merged);
                open.push(node);
            }
            merged
        };
        for &next in successors(&nodes[from as usize]) {
            enter(next, first, &mut open);
        }
        while let Some(node) = open.pop() {
            let order = enter(node, Ordered([(u32::MAX, u64::MAX); WARP]), &mut Vec::new());
            if *steps == 0 {
                return Some(node);
            }
            *steps -= 1;
            if let Some(met) = meets(node, &order) {
                return Some(met);
            }
            for (at, &next) in successors(&nodes[node as usize]).iter().enumerate() {
                let after = self.after(&nodes[node as usize], self.by[node as usize], at, order);
                if after.0.iter().any(|one| one.0 != u32::MAX) {
                    enter(next, after, &mut open);
                }
            }
        }
        None
    }

    /// The order after the accesses of a node: each thread is ordered only before itself, and a copy completes an
    /// object.
    fn start(&self, node: &Node) -> Ordered {
        let released = match action(node) {
            Some(Action::Copy { name: Some(name), .. }) => object(name),
            _ => 0,
        };
        Ordered(core::array::from_fn(|lane| (1 << lane, released)))
    }

    /// The order after a node that these threads perform with this outcome.
    fn after(&self, node: &Node, by: u32, outcome: usize, mut order: Ordered) -> Ordered {
        let Some(action) = action(node) else { return order };
        let acquires = |asked: Order| asked != Order::Relaxed;
        match action {
            Action::WarpSync { mask } => order.join(by & mask),
            Action::Bar { kind: Bar::Sync | Bar::Red, .. } => {
                order.join(by);
                order.acquire(by, BARRIER, true);
            }
            Action::Bar { kind: Bar::Arrive, .. } => order.release(by, BARRIER, true),
            Action::Arrive { name, form } => {
                order.release(by, object(name), form.order != Order::Relaxed);
            }
            Action::CopyArrive { name, of_copies: true, .. } => {
                order.release(by, object(name), true)
            }
            Action::ClusterArrive { order: released, .. } => {
                order.release(by, CLUSTER, released != Order::Relaxed);
            }
            Action::Fence { release: true, .. } => order.release(by, FENCE, true),
            Action::Wait { name, patience, order: asked, .. }
                if acquires(asked) && (outcome == 1 || patience == Patience::Block) =>
            {
                order.acquire(by, object(name), !self.others);
            }
            Action::ClusterWait { order: asked, .. } if acquires(asked) => {
                order.acquire(by, CLUSTER, !self.others);
            }
            _ => {}
        }
        order
    }
}

impl Ordered {
    /// The order that holds on both of two paths.
    fn both(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|lane| {
            let (one, two) = (self.0[lane], other.0[lane]);
            (one.0 & two.0, one.1 & two.1)
        }))
    }

    /// Synchronises these threads with each other.
    fn join(&mut self, by: u32) {
        self.0.iter_mut().filter(|one| one.0 & by != 0).for_each(|one| one.0 |= by);
    }

    /// Releases by these threads; a relaxed arrival releases only after a fence.
    fn release(&mut self, by: u32, what: u64, strong: bool) {
        let released = |one: &&mut (u32, u64)| one.0 & by != 0 && (strong || one.1 & FENCE != 0);
        self.0.iter_mut().filter(released).for_each(|one| one.1 |= what);
    }

    /// Acquires by these threads what was released to an object, or to any object: another warp may have passed it on.
    fn acquire(&mut self, by: u32, what: u64, exactly: bool) {
        let what = if exactly { what } else { !FENCE };
        self.0.iter_mut().filter(|one| one.1 & what != 0).for_each(|one| one.0 |= by);
    }
}

fn action(node: &Node) -> Option<Action> {
    match node {
        Node::Operation { operation, .. } => match operation.action {
            Any::Ptx(action, _) => Some(action),
            _ => None,
        },
        _ => None,
    }
}

fn object(name: Name) -> u64 {
    1 << (name.index % OBJECTS)
}

/// The accesses of a thread to the memories of its CTA and to global memory.
fn touched(action: Any) -> impl Iterator<Item = Access> {
    let (read, written) = match action {
        Any::Ptx(Action::Copy { name, ranks: None, to, from, reduces: false, .. }, _)
            if name.is_none_or(|name| name.place == Place::Own) =>
        {
            (from, to)
        }
        _ => (None, None),
    };
    let copied = |write| move |range| Access { range, write };
    let copied = read.map(copied(false)).into_iter().chain(written.map(copied(true)));
    accesses(action).chain(copied)
}

/// For each thread, the threads whose accesses in `second` conflict with its access in `first`; `None` if there are
/// none.
fn against(first: &[Touch], second: &[Touch], steps: &mut usize) -> Option<[u32; WARP]> {
    let mut against = [0; WARP];
    *steps = steps.saturating_sub(1 + first.len() * second.len() / WARP);
    for one in first {
        for other in second.iter().filter(|other| *steps == 0 || one.meets(**other)) {
            against[one.lane % WARP] |= 1 << (other.lane % WARP);
        }
    }
    (against != [0; WARP]).then_some(against)
}
