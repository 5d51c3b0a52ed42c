//! Parts of a program that share no barrier.

use super::Machine;
use super::node::action_of;
use crate::machine::by_cluster;
use crate::ordered::OrderedMap;
use crate::ptx::action::Action;
use alloc::vec::Vec;

/// What agents of one part share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Mbarrier(usize),
    Bar(u32, i64),
    /// Something that depends on the ends of all agents of a CTA.
    Cta(u32),
}

impl Machine {
    /// The part of each agent, as [`crate::machine::Machine::parts`] defines it. Agents of a CTA are in different parts if they
    /// use different objects and named barriers, and no barrier counts the ends of all agents.
    pub(super) fn separate(&self) -> Vec<u32> {
        let program = &self.context.program;
        let of_cluster = self.remote || self.barriers.1;
        if of_cluster || self.ends_matter || program.lanes_apart() > 1 {
            return by_cluster(program);
        }
        let mut part: Vec<u32> = (0..program.agents.len() as u32).collect();
        let mut users: OrderedMap<Shared, usize> = OrderedMap::default();
        for agent in 0..program.agents.len() {
            for action in program.body_of(agent).nodes.iter().filter_map(action_of) {
                let mut shares = |shared| {
                    let user = *users.entry(shared).or_insert(agent);
                    join(&mut part, user, agent);
                };
                match action {
                    Action::Bar { id, threads, .. } => {
                        shares(Shared::Bar(self.cta(agent), id));
                        if self.counts_ends(threads) {
                            shares(Shared::Cta(self.cta(agent)));
                        }
                    }
                    _ => self
                        .objects(agent, action)
                        .for_each(|(object, _)| shares(Shared::Mbarrier(object))),
                }
                // Whether a copy is complete when its CTA ends depends on all agents.
                if matches!(action, Action::Copy { .. } | Action::CopyArrive { .. }) {
                    shares(Shared::Cta(self.cta(agent)));
                }
            }
        }
        for (shared, user) in users.iter() {
            if let Shared::Cta(cta) = *shared {
                self.in_cta(cta).for_each(|agent| join(&mut part, *user, agent));
            }
        }
        part
    }
}

/// Puts all agents of two parts into one.
fn join(part: &mut [u32], one: usize, other: usize) {
    let (one, other) = (part[one], part[other]);
    if one != other {
        part.iter_mut().filter(|part| **part == other).for_each(|part| *part = one);
    }
}
