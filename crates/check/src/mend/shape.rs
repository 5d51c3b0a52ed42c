//! What an edit must not loosen: waits that block, agents that are not released, barriers that all agents reach.

use crate::scene::Scene;
use alloc::vec;
use alloc::vec::Vec;
use tidegate_model::opencl::action::{Action as Opencl, Group};
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::action::{Action as Ptx, Asked, is_odd};

/// A barrier of all agents of a workgroup or cluster: the kind of the operation, its number, and the workgroup.
type Common = (char, i64, Option<u32>);

/// The parts of a program that decide whether an edit loosens it.
pub(super) struct Shape {
    /// Waits for a phase that their agent already knows to be complete: the phase before launch, or one that it already
    /// waited for.
    at_once: usize,
    /// Operations that release agents from a barrier: a drop, a leave, a join of NULL.
    releases: usize,
    /// How many times more often one agent reaches a barrier than another.
    uneven: OrderedMap<Common, usize>,
}

impl Shape {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut shape = Self { at_once: 0, releases: 0, uneven: OrderedMap::new() };
        let Some(context) = scene.context() else { return shape };
        let agents = &context.program.agents;
        let mut last = OrderedMap::new();
        let mut often: OrderedMap<Common, Vec<usize>> = OrderedMap::new();
        for (agent, _, operation) in context.operations() {
            match operation.action {
                Action::Ptx(Ptx::Wait { name, asked: Asked::Parity(parity), .. }, _) => {
                    let before = last.insert((agent, name), is_odd(parity));
                    shape.at_once += usize::from(before.unwrap_or(true) == is_odd(parity));
                }
                Action::Drop { .. } | Action::Leave | Action::Join { object: Object::Null } => {
                    shape.releases += 1;
                }
                _ => {}
            }
            if let Some((kind, number, is_local)) = common(operation.action) {
                let group = is_local.then(|| agents[agent].workgroup);
                let counts = often.entry((kind, number, group));
                counts.or_insert_with(|| vec![0; agents.len()])[agent] += 1;
            }
        }
        for (barrier, counts) in often {
            let own = counts.iter().zip(agents);
            let own = own.filter(|(_, agent)| barrier.2.is_none_or(|it| it == agent.workgroup));
            let own = || own.clone().map(|(count, _)| *count);
            let spread = own().max().unwrap_or(0) - own().min().unwrap_or(0);
            shape.uneven.insert(barrier, spread);
        }
        shape
    }

    /// Whether an edit that leads from this program to another loosens it. One that only adds does not change what a
    /// wait means.
    pub(super) fn is_loosened(&self, after: &Self, adds: bool) -> bool {
        let spread = |barrier| self.uneven.get(barrier).copied().unwrap_or(0);
        !adds && after.at_once > self.at_once
            || after.releases > self.releases
            || after.uneven.iter().any(|(barrier, after)| *after > spread(barrier))
    }

    /// Whether some agents of a workgroup or cluster reach one of its barriers more often than others.
    pub(super) fn is_uneven(&self) -> bool {
        self.uneven.values().any(|spread| *spread > 0)
    }
}

/// The barrier of a whole workgroup or cluster that an operation acts on, and whether it is one of each workgroup.
const fn common(action: Action) -> Option<(char, i64, bool)> {
    match action {
        Action::Arrive { object: Object::Workgroup, .. } => Some(('a', -1, true)),
        Action::Wait { object: Object::Workgroup } => Some(('w', -1, true)),
        Action::Arrive { object: Object::Cluster, .. } => Some(('a', -3, false)),
        Action::Wait { object: Object::Cluster } => Some(('w', -3, false)),
        Action::Ptx(Ptx::Bar { id, threads: None, .. }, _) => Some(('b', id, true)),
        Action::Ptx(Ptx::ClusterArrive { .. }, _) => Some(('a', 0, false)),
        Action::Ptx(Ptx::ClusterWait { .. }, _) => Some(('w', 0, false)),
        Action::Opencl(Opencl::Barrier { group: Group::Work, .. }) => Some(('b', 0, true)),
        Action::Opencl(Opencl::Arrive { .. }) => Some(('a', 0, true)),
        Action::Opencl(Opencl::Await { .. }) => Some(('w', 0, true)),
        _ => None,
    }
}
