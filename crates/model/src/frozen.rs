//! Upper bounds on the operations of all other agents while one agent does not move.
//!
//! In the bound, an arrive always passes, and a wait passes while enough phases are complete or could complete. The
//! specification and the hardware model use it to find an agent that may go first.

mod courses;
mod view;

pub(crate) use view::View;

use crate::bounds::{MANY, Others, Reached};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::ordered::OrderedSet;
use crate::reach::instance_bit;
use alloc::rc::Rc;
use alloc::vec::Vec;
use courses::reach;

/// Iterations of the bound in which agents with loops are followed.
const ROUNDS: u32 = 3;

impl View<'_> {
    /// Upper bounds on the operations of the other agents on an instance while `frozen` does not move. If only that matters,
    /// `stays_open` ends the look at the first bounds by which the others can complete a phase of the instance.
    #[must_use]
    pub(crate) fn others(&self, frozen: usize, instance: InstanceId, stays_open: bool) -> Others {
        let at = usize::from(instance);
        let mut bounds = alloc::vec![Others::default(); self.counts.len()];
        for round in 0u32.. {
            let next = self.others_within(frozen, &bounds, round < ROUNDS);
            let is_settled =
                bounds == next || stays_open && !self.counts[at].stays_open(next[at], 0);
            bounds = next;
            if is_settled {
                break;
            }
        }
        bounds[at]
    }

    /// The same bounds, with completions limited by `bounds`. While it is `early`, agents with loops are followed; later, an
    /// operation that they could repeat is unbounded.
    fn others_within(&self, frozen: usize, bounds: &[Others], early: bool) -> Vec<Others> {
        let mut all = alloc::vec![Others::default(); self.counts.len()];
        let live = |&agent: &usize| {
            let is_apart = self.parts[agent] != self.parts[frozen];
            agent != frozen && !is_apart && !self.agents[agent].ended
        };
        // Workgroups with a wave that cannot end, including the agent that does not move.
        let mut staying = OrderedSet::from([self.workgroup(frozen)]);
        for agent in (0..self.agents.len()).filter(live) {
            self.context.work.add(1);
            let followed = early || !self.context.reaches.is_cyclic(agent);
            let reached = followed
                .then(|| reach(self, bounds, agent))
                .flatten()
                .unwrap_or_else(|| Rc::new(Reached { counts: self.everything(agent), ends: true }));
            let own = all.iter_mut().zip(&reached.counts);
            own.for_each(|(all, more)| all.combine(*more, u32::saturating_add));
            if reached.ends {
                self.drop_at_end(agent, &mut all);
            } else {
                staying.insert(self.workgroup(agent));
            }
        }
        if self.last_drops_cluster {
            self.drop_clusters(&staying, &mut all);
        }
        all
    }

    fn workgroup(&self, agent: usize) -> u32 {
        self.context.program.agents[agent].workgroup
    }

    /// The end of a wave drops the workgroup barrier, and the cluster barrier if each wave drops it.
    fn drop_at_end(&self, agent: usize, all: &mut [Others]) {
        let instances = &self.context.instances;
        let cluster =
            if self.last_drops_cluster { NO_INSTANCE } else { instances.cluster_of(agent) };
        for instance in [instances.workgroup_of(agent), cluster] {
            drop_once(instance, all);
        }
    }

    /// Each workgroup whose waves can all end drops the cluster barrier.
    fn drop_clusters(&self, staying: &OrderedSet<u32>, all: &mut [Others]) {
        let mut counted = staying.clone();
        for agent in (0..self.agents.len()).filter(|&agent| !self.agents[agent].ended) {
            if counted.insert(self.workgroup(agent)) {
                drop_once(self.context.instances.cluster_of(agent), all);
            }
        }
    }

    /// All operations that an agent can reach, each unbounded; excludes its end.
    fn everything(&self, agent: usize) -> Vec<Others> {
        let reach = self.context.reaches.from(agent, self.agents[agent].node);
        let of = |instance: InstanceId| {
            let has = |set: u128| set & instance_bit(instance) != 0;
            let named = self.context.object(instance).is_named();
            let left = self.drop_leaves && reach.drops != 0 && named;
            let many = |condition: bool| if condition { MANY } else { 0 };
            Others {
                arrives: many(has(reach.touches)),
                drops: many(has(reach.drops) || left),
                waits: many(has(reach.waits)),
                memberships: many(named),
                special: has(reach.inits | reach.special),
                touched: has(reach.touches) || left,
            }
        };
        (0..).take(self.counts.len()).map(of).collect()
    }
}

fn drop_once(instance: InstanceId, all: &mut [Others]) {
    if let Some(others) = all.get_mut(usize::from(instance)) {
        others.drops += 1;
        others.touched = true;
    }
}
