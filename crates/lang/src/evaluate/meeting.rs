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
use tidegate_model::ptx::action::{Action, Place};
use tidegate_model::ptx::warp::{Ordered, WARP, object};

/// Largest number of steps of the search; beyond it, the accesses count as conflicting.
const MOST_STEPS: usize = 4_000_000;

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
            order.leaves(against).then_some(node)
        };
        let first = self.start(&nodes[from as usize]);
        if let Some(met) = meets(from, &first) {
            return Some(met);
        }
        let mut reached: Vec<Option<Ordered>> = alloc::vec![None; nodes.len()];
        let mut open: Vec<NodeId> = Vec::new();
        let enter = |(node, order): (NodeId, Ordered), reached: &mut [Option<Ordered>]| {
            let known = &mut reached[node as usize];
            let merged = known.map_or(order, |known| known.both(&order));
            let is_new = *known != Some(merged);
            *known = Some(merged);
            is_new.then_some(node)
        };
        let next = successors(&nodes[from as usize]).iter();
        open.extend(next.filter_map(|&next| enter((next, first), &mut reached)));
        while let Some(node) = open.pop() {
            let Some(order) = reached[node as usize] else { continue };
            if *steps == 0 {
                return Some(node);
            }
            *steps -= 1;
            if let Some(met) = meets(node, &order) {
                return Some(met);
            }
            for (at, &next) in successors(&nodes[node as usize]).iter().enumerate() {
                let after = self.after(&nodes[node as usize], self.by[node as usize], at, order);
                if !after.is_complete() {
                    open.extend(enter((next, after), &mut reached));
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
        let mut ordered = Ordered::ALL;
        (0..WARP).for_each(|lane| ordered.set(lane, 1 << lane, released));
        ordered
    }

    /// The order after a node that these threads perform with this outcome.
    fn after(&self, node: &Node, by: u32, outcome: usize, mut order: Ordered) -> Ordered {
        if let Some(action) = action(node) {
            order.perform(action, (by, u32::MAX), outcome, self.others);
        }
        order
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
