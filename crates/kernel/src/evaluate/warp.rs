//! Conflicting accesses of the threads of one warp.
//!
//! A warp is one agent, so its threads are not judged against each other. PTX orders them only where they synchronise, not
//! by the instruction that they share. For each access of a thread, the paths after it determine which other threads have
//! synchronised with it: at a barrier, at `bar.warp.sync`, or by a wait after an arrival. A warp with a conflicting access of
//! any other thread keeps the verdict open.

use super::recorded::Parted;
use super::recorded::Recorded;
use super::touches::{Touch, Touches};
use super::world::Run;
use crate::value::WARP;
use alloc::vec::Vec;
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::{Action as Ptx, Bar, Name, Order, Patience};

/// Largest number of steps of the comparison; beyond it, the accesses count as conflicting.
const MOST_STEPS: usize = 400_000;

/// A released object by its index, or one of the following bits.
const CLUSTER: u64 = 1 << 62;
const BARRIER: u64 = 1 << 61;
const OBJECTS: u16 = 61;
/// A fence, after which relaxed arrivals release.
const FENCE: u64 = 1 << 63;

/// For each thread, the threads that have synchronised with it, itself included, and the objects that have released for
/// it; then the threads that have arrived at `bar.warp.sync` and wait for others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ordered([(u32, u64); WARP], u32);

/// What a walk does after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It ends here.
    Found,
    /// It does not continue after this node.
    Off,
    /// It continues.
    On,
}

/// The search for operations of the threads of one warp that nothing orders.
pub(super) struct Search<'a> {
    pub(super) made: &'a Recorded,
    touches: &'a Touches,
    /// Whether other warps can order the threads of this one.
    others: bool,
    steps: usize,
}

const UNORDERED: &str =
    "threads of one warp may access the same bytes without a barrier in between";

/// Two accesses of one warp that conflict unordered, if there are any.
pub(crate) fn unordered(made: &Recorded, run: &Run<'_>) -> Option<Parted> {
    let touches = &run.world.touches.borrow();
    let mut search = Search::of(made, touches, run.standing.has_others());
    let conflicting = touches.conflicting(made.touches.values().copied());
    let mut accesses = made.touches.iter().filter(|(_, set)| conflicting.contains(set));
    accesses.find_map(|(&from, &set)| {
        let second = search.after(from, set)?;
        Some(search.parted([from, second], UNORDERED))
    })
}

impl<'a> Search<'a> {
    pub(super) fn of(made: &'a Recorded, touches: &'a Touches, others: bool) -> Self {
        Self { made, touches, others, steps: MOST_STEPS }
    }

    pub(super) fn parted(&self, nodes: [NodeId; 2], why: &'static str) -> Parted {
        Parted { places: nodes.map(|node| self.made.places[node as usize]), why }
    }

    /// The first node from this one on with an access that conflicts with an access of this node.
    fn after(&mut self, from: NodeId, set: u32) -> Option<NodeId> {
        let first = self.start(from, set);
        if self.touches.against(set, set, true).is_some_and(|against| first.leaves(&against)) {
            return Some(from);
        }
        self.walk((from, |_| first), |search, node, order| {
            if search.conflicts(set, node, order) { Step::Found } else { Step::On }
        })
    }

    /// The node that is found after a node. The order after the node itself is given by outcome.
    pub(super) fn walk(
        &mut self,
        (from, first): (NodeId, impl Fn(usize) -> Ordered),
        mut step: impl FnMut(&mut Self, NodeId, &Ordered) -> Step,
    ) -> Option<NodeId> {
        let mut reached: OrderedMap<NodeId, Ordered> = OrderedMap::new();
        let mut open: Vec<(NodeId, Ordered)> = self.ways(from, first).collect();
        while let Some((node, order)) = open.pop() {
            let order = match reached.get(&node) {
                Some(known) if known.both(&order) == *known => continue,
                Some(known) => known.both(&order),
                None => order,
            };
            reached.insert(node, order);
            self.steps = self.steps.saturating_sub(1);
            match step(self, node, &order) {
                Step::Found => return Some(node),
                Step::Off | Step::On if self.steps == 0 => return Some(node),
                Step::Off => continue,
                Step::On => {}
            }
            open.extend(self.ways(node, |way| self.ordered(node, way, order)));
        }
        None
    }

    /// The nodes after a node, with the order there; without those before which all threads have synchronised.
    fn ways(
        &self,
        node: NodeId,
        order: impl Fn(usize) -> Ordered,
    ) -> impl Iterator<Item = (NodeId, Ordered)> {
        let next = successors(&self.made.nodes[node as usize]).iter().enumerate();
        let known = next.filter(|(_, next)| self.made.is_known(**next));
        let ways = known.map(move |(way, &next)| (next, order(way)));
        ways.filter(|(_, order)| order.0.iter().any(|one| one.0 != u32::MAX))
    }

    fn conflicts(&self, set: u32, node: NodeId, order: &Ordered) -> bool {
        let Some(&other) = self.made.touches.get(&node) else { return false };
        self.touches.against(set, other, false).is_some_and(|against| order.leaves(&against))
    }

    /// The order after the accesses of a node: each of its threads is ordered only before itself, and a copy completes an
    /// object. A copy of a group is complete for its thread only after a wait for the group.
    pub(super) fn start(&self, node: NodeId, set: u32) -> Ordered {
        let (own, released) = match self.action(node) {
            Some(Ptx::Copy { name: Some(name), .. }) => (1, object(name)),
            Some(Ptx::Copy { name: None, .. }) => (0, 0),
            _ => (1, 0),
        };
        let mut ordered = Ordered::ALL;
        for touch in &self.touches.sets[set as usize] {
            let lane = usize::from(touch.lane) % WARP;
            ordered.0[lane] = (!self.made.mask | own << lane, released);
        }
        ordered
    }

    /// The threads of a set of accesses.
    pub(super) fn accessing(&self, set: u32) -> u32 {
        let lane = |touch: &Touch| 1 << (touch.lane % WARP as u8);
        self.touches.sets[set as usize].iter().fold(0, |all, touch| all | lane(touch))
    }

    pub(super) fn action(&self, node: NodeId) -> Option<Ptx> {
        match &self.made.nodes[node as usize] {
            Node::Operation { operation, .. } => match operation.action {
                Action::Ptx(action, _) => Some(action),
                _ => None,
            },
            _ => None,
        }
    }

    /// The order after a node with this outcome.
    fn ordered(&self, node: NodeId, outcome: usize, mut order: Ordered) -> Ordered {
        let (Some(action), Some(&by)) = (self.action(node), self.made.lanes.get(&node)) else {
            return order;
        };
        let acquires = |asked: Order| asked != Order::Relaxed;
        match action {
            Ptx::WarpSync { mask } => {
                order.1 |= by & mask;
                if mask & self.made.mask & !order.1 == 0 {
                    order.join(order.1);
                    order.1 = 0;
                } else {
                    order.join(by & mask);
                }
            }
            Ptx::Bar { kind: Bar::Sync | Bar::Red, .. } => {
                order.join(by);
                order.acquire(by, BARRIER, true);
            }
            Ptx::Bar { kind: Bar::Arrive, .. } => order.release(by, BARRIER, true),
            Ptx::Arrive { name, form } => {
                order.release(by, object(name), form.order != Order::Relaxed);
            }
            Ptx::CopyArrive { name, of_copies: true, .. } => {
                order.release(by, object(name), true);
                order.of_threads(by, |one, _| one.1 |= object(name));
            }
            Ptx::WaitGroup { .. } => order.of_threads(by, |one, lane| one.0 |= 1 << lane),
            Ptx::ClusterArrive { order: released, .. } => {
                order.release(by, CLUSTER, released != Order::Relaxed);
            }
            Ptx::Fence { release: true, .. } => order.release(by, FENCE, true),
            Ptx::Wait { name, patience, order: asked, .. }
                if acquires(asked) && (outcome == 1 || patience == Patience::Block) =>
            {
                order.acquire(by, object(name), !self.others);
            }
            Ptx::ClusterWait { order: asked, .. } if acquires(asked) => {
                order.acquire(by, CLUSTER, !self.others);
            }
            _ => {}
        }
        order
    }
}

impl Ordered {
    /// Whether a thread has not synchronised with one of those against it.
    fn leaves(&self, against: &[u32; WARP]) -> bool {
        against.iter().zip(&self.0).any(|(others, (known, _))| others & !known != 0)
    }

    /// The order that holds on both of two paths.
    fn both(&self, other: &Self) -> Self {
        let both = core::array::from_fn(|lane| {
            let (one, two) = (self.0[lane], other.0[lane]);
            (one.0 & two.0, one.1 & two.1)
        });
        Self(both, self.1 & other.1)
    }

    /// Changes the entries of these threads.
    fn of_threads(&mut self, by: u32, change: impl Fn(&mut (u32, u64), usize)) {
        let all = self.0.iter_mut().enumerate();
        all.filter(|(lane, _)| by >> lane & 1 == 1).for_each(|(lane, one)| change(one, lane));
    }

    /// The order in which these threads are after something, and those that do not exist; the others are not. `released`
    /// are the objects at which others can learn of it.
    pub(super) fn after(threads: u32, absent: u32, released: u64) -> Self {
        let mut order = Self::ALL;
        order.0[threads.trailing_zeros() as usize % WARP] = (threads | absent, released);
        order
    }

    /// The threads that are ordered after everything.
    pub(super) fn common(&self) -> u32 {
        self.0.iter().fold(u32::MAX, |all, one| all & one.0)
    }

    /// Whether these threads have not synchronised with some thread for which what it did is complete.
    pub(super) fn is_apart(&self, threads: u32) -> bool {
        let mut all = self.0.iter().enumerate();
        all.any(|(lane, one)| one.0 >> lane & 1 == 1 && one.0 & threads == 0)
    }

    /// Makes what was done complete for no thread of those for which it is not complete for all.
    pub(super) fn forget(&mut self) {
        let parts = self.0.iter_mut().enumerate().filter(|(_, one)| one.0 != u32::MAX);
        parts.for_each(|(lane, one)| one.0 &= !(1 << lane));
    }

    /// The order in which everything is ordered.
    pub(super) const ALL: Self = Self([(u32::MAX, 0); WARP], 0);

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

/// The bit of an object among those that have released.
pub(super) fn object(name: Name) -> u64 {
    1 << (name.index % OBJECTS)
}
