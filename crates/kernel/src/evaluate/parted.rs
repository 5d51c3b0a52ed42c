//! Threads of a warp that rely on an operation of another thread of the same warp.
//!
//! A warp is one agent, so a wait, release, initialisation or commit of one of its threads counts for all of them. PTX orders
//! memory and forms groups for each thread: another thread of the warp shares the order only after the two have synchronised.
//! If a thread depends on such an operation of another one, and nothing synchronises them, the verdict is `unknown`.

use super::recorded::Parted;
use super::recorded::Recorded;
use super::touches::Touches;
use super::warp::{Search, Step};
use alloc::vec::Vec;
use tidegate_model::operation::Operation;
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::{Action as Ptx, Bar, Order, Patience, Queue};
use tidegate_model::ptx::warp::{Ordered, object};

const WAITED: &str = "only some threads of a warp wait before others of it access memory, without `bar.warp.sync` in between";
const RELEASED: &str = "a thread arrives after accesses of other threads of its warp, without `bar.warp.sync` in between";
const INITIALISED: &str = "threads of a warp use an mbarrier object that another thread of it initialises, without `bar.warp.sync` in between";
const GROUPED: &str = "a thread commits or waits for asynchronous operations of another thread: groups belong to one thread";

/// Two operations of different threads of a warp, of which one relies on the other without synchronisation. `None` if there are
/// none. `others` says whether there are other warps, and `shared` whether an access conflicts with another agent.
pub(super) fn parted(
    made: &Recorded,
    touches: &Touches,
    others: bool,
    shared: impl Fn(&Operation) -> bool,
) -> Option<Parted> {
    let mut search = Search::of(made, touches, others);
    let accesses = |node: NodeId| match &made.nodes[node as usize] {
        Node::Operation { operation, .. } if shared(operation) => made.touches.get(&node).copied(),
        _ => None,
    };
    let tracked = [Queue::Bulk, Queue::Thread, Queue::Tensor].map(|queue| search.tracked(queue));
    let operations = made.lanes.iter().find_map(|(&node, &by)| {
        let action = search.action(node)?;
        if let Some(queue) = queue(action) {
            let tracks = |(own, all): &(Queue, Vec<u32>)| {
                *own == queue && by & !all.get(node as usize).copied().unwrap_or(0) == 0
            };
            return match tracked.iter().any(tracks) {
                true => None,
                false => search.groups(node, by, queue),
            };
        }
        let access = |search: &Search<'_>, at| accesses(at).map_or(0, |set| search.accessing(set));
        match action {
            _ if by == made.mask => None,
            Ptx::Wait { order: Order::Relaxed, .. } => None,
            Ptx::Wait { .. } | Ptx::WaitGroup { .. } => search.relies((node, by), WAITED, access),
            Ptx::Init { name, .. } => search.relies((node, by), INITIALISED, |search, at| {
                let own = search.action(at).and_then(Ptx::name);
                own.filter(|own| own.index == name.index).map_or(0, |_| search.by(at))
            }),
            _ => None,
        }
    });
    operations.or_else(|| {
        let mut all = 0..made.nodes.len() as NodeId;
        all.find(|&node| search.action(node).is_some_and(releases))?;
        let mut nodes = made.touches.keys();
        nodes.find_map(|&node| search.released(node, accesses(node)?))
    })
}

/// The queue whose groups track an operation.
fn queue(action: Ptx) -> Option<Queue> {
    match action {
        Ptx::Copy { name: None, bulk: true, .. } => Some(Queue::Bulk),
        Ptx::Copy { name: None, bulk: false, .. } => Some(Queue::Thread),
        Ptx::Tensor { alone: false, .. } => Some(Queue::Tensor),
        _ => None,
    }
}

/// Whether an operation is an arrive that releases.
fn releases(action: Ptx) -> bool {
    match action {
        Ptx::Arrive { form, .. } => form.order != Order::Relaxed,
        Ptx::ClusterArrive { order, .. } => order != Order::Relaxed,
        Ptx::Bar { kind, .. } => kind == Bar::Arrive,
        _ => false,
    }
}

/// The queue that an operation commits or waits for, and whether it waits.
const fn takes(action: Ptx) -> Option<(Queue, bool)> {
    match action {
        Ptx::Commit { queue } => Some((queue, false)),
        Ptx::WaitGroup { queue, .. } => Some((queue, true)),
        Ptx::CopyArrive { of_copies: true, .. } => Some((Queue::Thread, true)),
        Ptx::CopyArrive { .. } => Some((Queue::Tensor, true)),
        _ => None,
    }
}

impl Search<'_> {
    /// The threads that perform a node.
    fn by(&self, node: NodeId) -> u32 {
        self.made.lanes.get(&node).copied().unwrap_or(0)
    }

    /// Finds an operation after a node whose threads rely on the node and have not synchronised with its threads. `uses` gives
    /// the threads of an operation that rely on the node.
    fn relies(
        &mut self,
        (from, by): (NodeId, u32),
        why: &'static str,
        uses: impl Fn(&Self, NodeId) -> u32,
    ) -> Option<Parted> {
        // Other threads synchronise with the threads of a wait by a wait on the same object.
        let (polls, of) = match self.action(from) {
            Some(Ptx::Wait { name, patience, .. }) => (patience != Patience::Block, object(name)),
            _ => (false, 0),
        };
        let first = Ordered::after(by, !self.made.mask, of);
        let order = |way: usize| if polls && way == 0 { Ordered::ALL } else { first };
        let second = self.walk((from, order), |search, node, order| {
            if uses(search, node) & !order.common() != 0 { Step::Found } else { Step::On }
        })?;
        Some(self.parted([from, second], why))
    }

    /// Finds an arrive after an access whose threads have not all synchronised with the arriving threads.
    fn released(&mut self, from: NodeId, set: u32) -> Option<Parted> {
        let mut first = self.start(from, set);
        if let Some(Ptx::Copy { .. }) = self.action(from) {
            first.forget();
        }
        let second = self.walk((from, |_| first), |search, node, order| {
            let by = search.by(node);
            let releases = search.action(node).is_some_and(releases);
            if releases && order.is_apart(by) { Step::Found } else { Step::On }
        })?;
        Some(self.parted([from, second], RELEASED))
    }

    /// For each node, the threads that perform every commit and every wait of a queue that comes next after it, up to the first
    /// wait.
    fn tracked(&self, queue: Queue) -> (Queue, Vec<u32>) {
        let count = self.made.nodes.len();
        let (mut after, mut changed) = (alloc::vec![u32::MAX; count], true);
        while changed {
            changed = false;
            for node in (0..count).rev() {
                let through = |&next: &NodeId| {
                    let later = after.get(next as usize).copied().unwrap_or(u32::MAX);
                    match self.action(next).and_then(takes) {
                        Some((own, ends)) if own == queue => {
                            self.by(next) & if ends { u32::MAX } else { later }
                        }
                        _ => later,
                    }
                };
                let known = successors(&self.made.nodes[node]).iter();
                let known = known.filter(|next| self.made.is_known(**next));
                let all = known.map(through).fold(u32::MAX, |all, one| all & one);
                changed |= all != after[node];
                after[node] = all;
            }
        }
        (queue, after)
    }

    /// Finds a commit of, or a wait for, operations of threads that do not perform it.
    fn groups(&mut self, from: NodeId, by: u32, queue: Queue) -> Option<Parted> {
        let first = Ordered::after(by, 0, 0);
        let second = self.walk((from, |_| first), |search, node, _| {
            let Some((own, ends)) = search.action(node).and_then(takes) else { return Step::On };
            match own == queue {
                true if by & !search.by(node) != 0 => Step::Found,
                true if ends => Step::Off,
                _ => Step::On,
            }
        })?;
        Some(self.parted([from, second], GROUPED))
    }
}
