//! Accesses that can conflict with an access of another agent. Other accesses do not affect the verdict.

use super::recorded::{Recorded, is_access};
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Buffer, Space};
use tidegate_model::operation::{Action, Alike, Operation};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action as Ptx, Name, Place, Reads};

/// One instance of a memory: its buffer, and its workgroup if it is local, otherwise 0.
type Instance = (u16, u32);

/// The agents that access some bytes: the first one, and whether there are others; the same for writes.
#[derive(Clone, Copy, Default)]
struct Use {
    any: Option<u32>,
    several: bool,
    writer: Option<u32>,
    writers: bool,
}

impl Use {
    const fn add(&mut self, agent: u32, write: bool) {
        match self.any {
            None => self.any = Some(agent),
            Some(known) => self.several |= known != agent,
        }
        if write {
            match self.writer {
                None => self.writer = Some(agent),
                Some(known) => self.writers |= known != agent,
            }
        }
    }

    /// Whether an access of an agent conflicts with one of another agent.
    fn conflicts(self, agent: u32, write: bool) -> bool {
        let others = self.several || self.any.is_some_and(|one| one != agent);
        write && others || self.writers || self.writer.is_some_and(|writer| writer != agent)
    }
}

/// The uses of some bytes: all of them, those that are not atomic for all agents, and whether some accesses are not alike.
#[derive(Clone, Copy, Default)]
struct Uses {
    all: Use,
    plain: Use,
    alike: Option<Alike>,
    differ: bool,
}

impl Uses {
    fn add(&mut self, agent: u32, write: bool, alike: Alike) {
        self.all.add(agent, write);
        if alike != Alike::ATOMIC {
            self.plain.add(agent, write);
        }
        let known = *self.alike.get_or_insert(alike);
        self.differ |= known != alike || !known.excuses(alike);
    }

    fn conflicts(self, agent: u32, write: bool, alike: Alike) -> bool {
        let others = if alike == Alike::ATOMIC { self.plain } else { self.all };
        self.differ && others.conflicts(agent, write)
    }

    const fn conflict(self) -> bool {
        self.differ && self.all.several && self.all.writer.is_some()
    }
}

/// The accesses of all agents of one case.
pub(crate) struct Conflicts {
    /// For each instance, the boundaries of pieces whose bytes all have the same uses, and the uses of each piece.
    uses: OrderedMap<Instance, (Vec<u32>, Vec<Uses>)>,
    /// Whether an operation accesses local memory of other workgroups or at an unknown address. All accesses are kept then.
    anywhere: bool,
}

fn of_node(node: &Node) -> Vec<Access> {
    match node {
        Node::Operation { operation, .. } => of_action(operation.action),
        _ => Vec::new(),
    }
}

/// The accesses of an operation, including asynchronous ones. Reads of tensor cores at an unknown address are only in
/// [`Conflicts::anywhere`].
pub(crate) fn of_action(action: Action) -> Vec<Access> {
    let mut all: Vec<Access> = accesses(action).collect();
    match action {
        Action::Ptx(Ptx::Copy { to, from, .. }, _) => {
            all.extend(to.map(|range| Access { range, write: true }));
            all.extend(from.map(|range| Access { range, write: false }));
        }
        Action::Ptx(Ptx::Tensor { reads, .. }, _) => {
            let ranges = reads.into_iter().filter_map(Reads::range);
            all.extend(ranges.map(|range| Access { range, write: false }));
        }
        _ => {}
    }
    all
}

/// Whether an operation accesses shared memory of other workgroups, or shared memory at an unknown address.
const fn is_elsewhere(action: Action) -> bool {
    match action {
        Action::Ptx(Ptx::Tensor { reads: [Reads::Any, _] | [_, Reads::Any], .. }, _) => true,
        Action::Ptx(ptx, _) => is_remote(ptx),
        _ => false,
    }
}

fn instance(access: Access, group: u32, buffers: &[Buffer]) -> Instance {
    let buffer = access.range.buffer;
    let local = buffers.get(usize::from(buffer)).is_some_and(|one| one.space == Space::Local);
    (buffer, if local { group } else { 0 })
}

impl Conflicts {
    /// The accesses of the agents of a case, each with its workgroup.
    pub(crate) fn of(agents: &[(u32, Recorded)], buffers: &[Buffer]) -> Self {
        let mut ends: OrderedMap<Instance, Vec<u32>> = OrderedMap::new();
        for (group, recorded) in agents {
            for access in recorded.nodes.iter().flat_map(of_node) {
                let ends = ends.entry(instance(access, *group, buffers)).or_default();
                ends.extend([access.range.start, access.range.end]);
            }
        }
        let mut uses = OrderedMap::new();
        for (key, mut ends) in ends {
            ends.sort_unstable();
            ends.dedup();
            let count = ends.len();
            uses.insert(key, (ends, alloc::vec![Uses::default(); count]));
        }
        let nodes = agents.iter().flat_map(|(_, recorded)| &recorded.nodes);
        let elsewhere = |node: &Node| matches!(node, Node::Operation { operation, .. } if is_elsewhere(operation.action));
        let anywhere = nodes.into_iter().any(elsewhere);
        let mut conflicts = Self { uses, anywhere };
        for (agent, (group, recorded)) in (0..).zip(agents) {
            for node in &recorded.nodes {
                // A copy is asynchronous, so it can also conflict with accesses of its own agent.
                let copies =
                    matches!(node, Node::Operation { operation, .. } if !is_access(operation));
                let who = if copies { u32::MAX - agent } else { agent };
                let alike = match node {
                    Node::Operation { operation, .. } => operation.alike,
                    _ => Alike::None,
                };
                for access in of_node(node) {
                    let key = instance(access, *group, buffers);
                    conflicts.pieces(key, access, |piece| piece.add(who, access.write, alike));
                }
            }
        }
        conflicts
    }

    fn pieces(&mut self, key: Instance, access: Access, mut apply: impl FnMut(&mut Uses)) {
        let Some((ends, uses)) = self.uses.get_mut(&key) else { return };
        let start = ends.partition_point(|&end| end < access.range.start);
        let pieces = ends[start..].iter().zip(&mut uses[start..]);
        pieces.take_while(|(at, _)| **at < access.range.end).for_each(|(_, one)| apply(one));
    }

    /// Whether an operation of an agent matters: it is not only an access, or it can conflict with another agent.
    pub(crate) fn keeps(
        &self,
        (agent, group): (u32, u32),
        operation: &Operation,
        buffers: &[Buffer],
    ) -> bool {
        !is_access(operation)
            || self.anywhere
            || accesses(operation.action).any(|access| {
                let owner = buffers.get(usize::from(access.range.buffer)).and_then(|one| one.owner);
                if owner.is_some_and(|owner| owner != group) {
                    return true;
                }
                let Some((ends, uses)) = self.uses.get(&instance(access, group, buffers)) else {
                    return true;
                };
                let start = ends.partition_point(|&end| end < access.range.start);
                let pieces = ends[start..].iter().zip(&uses[start..]);
                let mut pieces = pieces.take_while(|(at, _)| **at < access.range.end);
                pieces.any(|(_, one)| one.conflicts(agent, access.write, operation.alike))
            })
    }

    /// The buffers in which agents conflict.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = u16> + '_ {
        let conflicting = |(key, (_, uses)): (&Instance, &(Vec<u32>, Vec<Uses>))| {
            uses.iter().copied().any(Uses::conflict).then_some(key.0)
        };
        self.uses.iter().filter_map(conflicting)
    }
}

/// Whether a copy or a read of tensor cores names shared memory of other CTAs.
const fn is_remote(action: Ptx) -> bool {
    match action {
        Ptx::Copy { ranks, name, .. } => {
            ranks.is_some() || matches!(name, Some(Name { place: Place::Rank(_), .. }))
        }
        Ptx::Tensor { pair, .. } => pair,
        _ => false,
    }
}
