//! Conflicting accesses of the threads of one warp.
//!
//! A warp is one agent, so its threads are not judged against each other. PTX orders them only where they synchronise, not
//! by the instruction that they share. For each access of a thread, the paths after it determine which other threads have
//! synchronised with it: at a barrier, at `bar.warp.sync`, or by a wait after an arrival. A warp with a conflicting access of
//! any other thread keeps the verdict open.

use super::offsets::Shift;
use super::recorded::Parted;
use super::recorded::Recorded;
use super::touches::{Against, Touch, Touches};
use super::world::Run;
use alloc::vec::Vec;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::Action as Ptx;
use tidegate_model::ptx::warp::{Ordered, WARP, object};

/// Largest number of steps of the comparison; beyond it, the accesses count as conflicting.
const MOST_STEPS: usize = 400_000;

/// The way in which a walk continues after a node.
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

const MOVED: &str = "for some arguments, threads of one warp may access the same bytes without a barrier in between";

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

/// Two accesses of one warp that nothing orders and that some arguments may move onto each other; `None` if there are none.
/// `may_overlap` says whether two shifts of accesses to an object allow that.
pub(super) fn moved(
    made: &Recorded,
    touches: &Touches,
    others: bool,
    may_overlap: &impl Fn(u32, [&Shift; 2]) -> bool,
) -> Option<Parted> {
    let mut search = Search::of(made, touches, others);
    let sets = touches.moving(&made.touches.values().copied().collect(), may_overlap);
    let mut against: OrderedMap<(u32, u32), Against> = OrderedMap::new();
    for (&one, &other) in sets.iter().flat_map(|one| sets.iter().map(move |other| (one, other))) {
        search.steps = search.steps.saturating_sub(WARP);
        if let Some(found) = touches.moved([one, other], may_overlap) {
            against.insert((one, other), found);
        }
        if search.steps == 0 {
            let node = made.touches.iter().find(|(_, set)| **set == one).map(|(&node, _)| node)?;
            return Some(search.parted([node, node], MOVED));
        }
    }
    let from: OrderedSet<u32> = against.keys().map(|(one, _)| *one).collect();
    let mut accesses = made.touches.iter().filter(|(_, set)| from.contains(*set));
    accesses.find_map(|(&node, &set)| {
        let first = search.start(node, set);
        if against.get(&(set, set)).is_some_and(|lanes| first.leaves(lanes)) {
            return Some(search.parted([node, node], MOVED));
        }
        let second = search.walk((node, |_| first), |search, node, order| {
            let other = search.made.touches.get(&node);
            let lanes = other.and_then(|other| against.get(&(set, *other)));
            match lanes.is_some_and(|lanes| order.leaves(lanes)) {
                true => Step::Found,
                false => Step::On,
            }
        })?;
        Some(search.parted([node, second], MOVED))
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
        ways.filter(|(_, order)| !order.is_complete())
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
            ordered.set(lane, !self.made.mask | own << lane, released);
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
        if let (Some(action), Some(&by)) = (self.action(node), self.made.lanes.get(&node)) {
            order.perform(action, (by, self.made.mask), outcome, self.others);
        }
        order
    }
}
