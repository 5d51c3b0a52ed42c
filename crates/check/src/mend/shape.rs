//! What an edit must not loosen: waits that block, agents that stay in a barrier, barriers that all agents reach.

use super::units::{Class, Units};
use crate::scene::Scene;
use alloc::string::String;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::action::{Action as Ptx, Asked, is_odd};

/// The parts of a program that decide whether an edit loosens it.
pub(super) struct Shape {
    /// Waits for a phase that their agent already knows to be complete: the phase before launch, or one that it already
    /// waited for.
    at_once: usize,
    /// Operations that release agents from a barrier: a drop, a leave, a join of NULL.
    releases: usize,
    /// The operations of barriers of all agents that some agents perform more often than others, with how many times.
    uneven: OrderedMap<(Class, String), usize>,
}

impl Shape {
    pub(super) fn of(scene: &Scene, units: &Units) -> Self {
        let mut shape = Self { at_once: 0, releases: 0, uneven: units.uneven(scene) };
        let Some(context) = scene.context() else { return shape };
        let mut last = OrderedMap::new();
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
        }
        shape
    }

    /// Whether an edit that leads from this program to another loosens it. Waits may return if the edit only adds, which
    /// does not change what a wait means, or if they are for slots that are free at launch.
    pub(super) fn is_loosened(&self, after: &Self, may_return: bool) -> bool {
        let spread = |key| self.uneven.get(key).copied().unwrap_or(0);
        !may_return && after.at_once > self.at_once
            || after.releases > self.releases
            || after.uneven.iter().any(|(key, after)| *after > spread(key))
    }
}
