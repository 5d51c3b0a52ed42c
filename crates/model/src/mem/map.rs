//! The accesses of a program, analysed once: which accesses can conflict, and which are still ahead of a node.
//!
//! Accesses are grouped into *classes*: one for each range that is read and each that is written. If that would take
//! too much memory, a class is all reads or all writes of one buffer, or everything; classes determine only which
//! accesses may conflict.

use super::operation::{Access, Memory, Range, Space};
use crate::bitset::BitSet;
use crate::operation::{Action, Alike};
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::successors;
use crate::program::{BodyId, Node, NodeId, Program};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Largest number of bits of the table of accesses ahead.
const MOST_BITS: usize = 1 << 26;

/// Number of agents from which a program is large.
pub const LARGE: usize = 256;

/// The accesses of an operation: none, one, or the read and the write of a copy.
pub fn accesses(action: Action) -> impl Iterator<Item = Access> {
    let (read, written) = match action {
        Action::Memory(memory) => memory.accesses(),
        _ => (None, None),
    };
    let access = |write| move |range| Access { range, write };
    read.map(access(false)).into_iter().chain(written.map(access(true)))
}

/// The accesses of a program.
#[derive(Debug)]
pub struct Map {
    program: Rc<Program>,
    /// For each class, the classes that it can conflict with.
    conflicts: Vec<BitSet>,
    /// For each body and node, the classes that can conflict with an access ahead, including that of the node.
    threatened: Vec<Vec<BitSet>>,
    /// For each class, the agents that have an access in conflict with it anywhere.
    rivals: Vec<BitSet>,
    classes: OrderedMap<Access, usize>,
    grain: Grain,
}

/// The granularity of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    Ranges,
    Buffers,
    Everything,
}

impl Grain {
    fn class(self, access: Access) -> Access {
        let whole = |buffer| Range { buffer, start: 0, end: u32::MAX };
        match self {
            Self::Ranges => access,
            Self::Buffers => Access { range: whole(access.range.buffer), ..access },
            Self::Everything => Access { range: whole(0), write: true },
        }
    }
}

impl Map {
    /// Analyses a program; `None` if no two of its accesses can conflict.
    #[must_use]
    pub fn of(program: &Rc<Program>) -> Option<Self> {
        let all: OrderedSet<Access> = match is_large(program) {
            true => shared(program),
            false => {
                program.bodies.iter().flat_map(|body| body.nodes.iter().flat_map(of_node)).collect()
            }
        };
        let alone = program.agents.len() == 1 && !copies(program);
        if alone || !all.iter().any(|access| access.write) {
            return None;
        }
        let nodes: usize = program.bodies.iter().map(|body| body.nodes.len()).sum();
        let fits = |classes: usize| classes.saturating_mul(nodes + classes) <= MOST_BITS;
        let classes = |grain: Grain| -> OrderedSet<Access> {
            all.iter().map(|&access| grain.class(access)).collect()
        };
        let grain =
            [Grain::Ranges, Grain::Buffers].into_iter().find(|&grain| fits(classes(grain).len()));
        let grain = grain.unwrap_or(Grain::Everything);
        let classes: OrderedMap<Access, usize> = classes(grain).into_iter().zip(0..).collect();
        let mut map = Self {
            program: Rc::clone(program),
            conflicts: Vec::new(),
            threatened: Vec::new(),
            rivals: Vec::new(),
            classes,
            grain,
        };
        map.conflicts = map.find_conflicts();
        map.threatened = program.bodies.iter().map(|body| map.threatened_by(&body.nodes)).collect();
        map.rivals = map.find_rivals();
        Some(map)
    }

    fn find_conflicts(&self) -> Vec<BitSet> {
        let mut conflicts = alloc::vec![BitSet::default(); self.classes.len()];
        let classes: Vec<Access> = self.classes.keys().copied().collect();
        for (one, class) in classes.iter().enumerate() {
            // Classes are sorted by buffer and first byte.
            let range = class.range;
            let reach = (one..).zip(&classes[one..]).take_while(|(_, other)| {
                other.range.buffer == range.buffer && other.range.start < range.end
            });
            for (other, _) in reach.filter(|(_, other)| class.conflicts(**other)) {
                conflicts[one].insert(other);
                conflicts[other].insert(one);
            }
        }
        conflicts
    }

    fn find_rivals(&self) -> Vec<BitSet> {
        let mut rivals = alloc::vec![BitSet::default(); self.classes.len()];
        for (agent, of) in self.program.agents.iter().enumerate() {
            if let Some(ahead) = self.threatened[of.body as usize].first() {
                ahead.iter().for_each(|class| rivals[class].insert(agent));
            }
        }
        rivals
    }

    fn threatened_by(&self, nodes: &[Node]) -> Vec<BitSet> {
        let own = |node: &Node| {
            let mut set = BitSet::default();
            let classes = of_node(node).filter_map(|access| self.class(access));
            for class in classes {
                set.add(&self.conflicts[class]);
            }
            set
        };
        let mut threatened: Vec<BitSet> = nodes.iter().map(own).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for id in (0..nodes.len()).rev() {
                for &next in successors(&nodes[id]) {
                    let after = core::mem::take(&mut threatened[next as usize]);
                    if next as usize != id {
                        changed |= threatened[id].add(&after);
                    }
                    threatened[next as usize] = after;
                }
            }
        }
        threatened
    }

    /// The class of an access.
    #[must_use]
    pub fn class(&self, access: Access) -> Option<usize> {
        self.classes.get(&self.grain.class(access)).copied()
    }

    /// The accesses of a node of an agent in an address space.
    pub fn at(
        &self,
        agent: usize,
        node: NodeId,
        space: Space,
    ) -> impl Iterator<Item = Access> + '_ {
        of_node(&self.program.body_of(agent).nodes[node as usize])
            .filter(move |access| self.space(*access) == space)
    }

    /// Which other accesses those of a node of an agent never race with.
    #[must_use]
    pub fn alike(&self, agent: usize, node: NodeId) -> Alike {
        match self.program.body_of(agent).nodes.get(node as usize) {
            Some(Node::Operation { operation, .. }) => operation.alike,
            _ => Alike::None,
        }
    }

    /// The address space of an access.
    #[must_use]
    pub fn space(&self, access: Access) -> Space {
        self.program
            .buffers
            .get(usize::from(access.range.buffer))
            .map_or(Space::Global, |buffer| buffer.space)
    }

    /// Whether two agents access the same memory by a name in an address space.
    #[must_use]
    pub fn shares(&self, agent: usize, other: usize, space: Space) -> bool {
        space == Space::Global
            || self.program.agents[agent].workgroup == self.program.agents[other].workgroup
    }

    /// Whether an access can conflict with one that is ahead of a node in a body.
    #[must_use]
    pub fn meets(&self, access: Access, body: BodyId, node: NodeId) -> bool {
        self.class(access).is_some_and(|class| self.is_ahead(class, body, node))
    }

    /// The agents that have an access in conflict with a class anywhere.
    #[must_use]
    pub fn rivals(&self, class: usize) -> &BitSet {
        &self.rivals[class]
    }

    /// Whether an access of a class can conflict with one that is ahead of a node in a body.
    #[must_use]
    pub fn is_ahead(&self, class: usize, body: BodyId, node: NodeId) -> bool {
        self.threatened[body as usize][node as usize].contains(class)
    }
}

/// Whether a program is OpenCL and so large that accesses of a single agent are removed first.
fn is_large(program: &Program) -> bool {
    let of_opencl = |node: &Node| match node {
        Node::Operation { operation, .. } => match operation.action {
            Action::Memory(memory) => {
                matches!(memory, Memory::Load(_) | Memory::Store(_) | Memory::Fence(_))
            }
            action => matches!(action, Action::Opencl(_)),
        },
        _ => true,
    };
    (program.part.is_some() || program.agents.len() > LARGE)
        && program.bodies.iter().flat_map(|body| &body.nodes).all(of_opencl)
}

/// The accesses that conflict with one of another agent.
fn shared(program: &Program) -> OrderedSet<Access> {
    let mut users = alloc::vec![(0_u32, 0_u32); program.bodies.len()];
    for (agent, of) in (0..).zip(&program.agents) {
        let (count, last) = &mut users[of.body as usize];
        (*count, *last) = (*count + 1, agent);
    }
    // For each access, the agent that makes it, if there is only one.
    let mut known: Vec<(Access, Option<u32>)> = Vec::new();
    for (body, &(count, agent)) in program.bodies.iter().zip(&users) {
        let owner = (count == 1).then_some(agent);
        known.extend(body.nodes.iter().flat_map(of_node).map(|access| (access, owner)));
    }
    known.sort_unstable();
    known.dedup();
    let mut meets = alloc::vec![false; known.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, (access, owner)) in known.iter().enumerate() {
        let Range { buffer, start, .. } = access.range;
        open.retain(|&other| {
            let range = known[other].0.range;
            range.buffer == buffer && range.end > start
        });
        meets[at] = access.write && owner.is_none();
        for &other in &open {
            let (met, of) = known[other];
            if access.conflicts(met) && (owner.is_none() || *owner != of) {
                (meets[at], meets[other]) = (true, true);
            }
        }
        open.push(at);
    }
    known
        .into_iter()
        .zip(meets)
        .filter(|(_, meets)| *meets)
        .map(|((access, _), _)| access)
        .collect()
}

/// Whether some agent starts asynchronous copies.
fn copies(program: &Program) -> bool {
    let copies = |node: &Node| matches!(node, Node::Operation { operation, .. } if matches!(operation.action, Action::Memory(Memory::Copy { .. })));
    program.bodies.iter().any(|body| body.nodes.iter().any(copies))
}

fn of_node(node: &Node) -> impl Iterator<Item = Access> + use<> {
    let action = match node {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    };
    action.into_iter().flat_map(accesses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(start: u32, end: u32, write: bool) -> Access {
        Access { range: Range { buffer: 0, start, end }, write }
    }

    #[test]
    fn two_reads_never_conflict() {
        assert!(!access(0, 4, false).conflicts(access(0, 4, false)));
        assert!(access(0, 4, true).conflicts(access(3, 5, false)));
        assert!(!access(0, 4, true).conflicts(access(4, 5, true)));
    }

    #[test]
    fn coarse_classes_conflict_wherever_fine_ones_do() {
        for grain in [Grain::Ranges, Grain::Buffers, Grain::Everything] {
            let (write, read) = (grain.class(access(0, 4, true)), grain.class(access(2, 8, false)));
            assert!(write.conflicts(read), "{grain:?}");
        }
    }
}
