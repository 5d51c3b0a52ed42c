//! The touches of steps, for [`crate::one_run`].
//!
//! The objects are the mbarriers, then the barriers of each CTA, then the barrier of each cluster, then the presence of each CTA.
//!
//! *mbarriers.* Arrivals, drops, expected and completed bytes participate in the open phase. The pending count is zero only
//! after all arrivals, so after all expectations by condition E; then the tx-count is zero only after all bytes. It does not
//! matter in how many parts a copy completes: each part is a participant. A wait by parity passes only if the number of
//! completed phases is right modulo two; it is at most that of the run by condition P and at least one less by condition U.
//! An arrive is never early for `ptx.mbarrier.missing-wait`: a wait for the previous phase happens before it.
//!
//! *Barriers of a CTA.* All participants of a phase name the same thread count. A warp that waits is held by the barrier and
//! looks at nothing when it continues, so it needs no condition. A warp participates in a phase at most once. Exited warps then
//! never complete a barrier: one would have to be missing in the phase, and it participates before its end if it participates
//! in the run.
//!
//! *Barriers of a cluster.* The end of an agent that has not arrived counts as a drop.
//!
//! *Other CTAs.* An arrive, an expectation or a completion of bytes may act on an mbarrier of another CTA, and an access on its
//! shared memory. Each asks whether that CTA has exited. The presence of a CTA is an object with one phase: the end of each
//! agent of the CTA arrives, and an access from another CTA is a change of membership. By conditions G and P, it happens before
//! the end of some agent there, or the CTA never exits. So the CTA has not exited at the access, in every execution. Waits
//! act on mbarriers of their own CTA, and copies that act on other CTAs are left to the search.
//!
//! Memory, fences and groups of copies change no barrier. Their happens-before is a function of the order that is proved.
//! An agent waits for the phase of each copy, so no copy is in flight when the CTA ends.

use super::Machine;
use super::node::action_of;
use super::state::{Held, State};
use crate::one_run::order::Order;
use crate::one_run::touch::{Awaited, Part, Passes, Touch, Touches};
use crate::program::Node;
use crate::ptx::action::{Action, Arrive, Asked, Bar, Patience};
use crate::ptx::bar::BARS;
use crate::ptx::bar::count_multiple::WARP;
use crate::ptx::cluster::arrive_once::Standing;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// An object that [`crate::one_run`] numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// By index in the state.
    Mbarrier(usize),
    /// A barrier of a CTA, by index in the state.
    Bar(usize),
    /// The barrier of a cluster, by its number.
    Cluster(usize),
    /// The presence of a CTA, by its number.
    Presence(usize),
}

impl Machine {
    /// The object of a number.
    #[must_use]
    pub fn located(&self, object: usize) -> Located {
        let bars = self.context.program.launch.workgroups as usize * self.barriers.0;
        match object.checked_sub(self.initial().mbarriers.len()) {
            None => Located::Mbarrier(object),
            Some(place) if place < bars => {
                Located::Bar(place / self.barriers.0 * BARS + place % self.barriers.0)
            }
            Some(place) => match place.checked_sub(bars + self.cluster_barriers()) {
                None => Located::Cluster(place - bars),
                Some(cta) => Located::Presence(cta),
            },
        }
    }

    /// The number of cluster barriers, if the program names them.
    fn cluster_barriers(&self) -> usize {
        let launch = self.context.program.launch;
        let clusters = launch.workgroups.div_ceil(launch.workgroups_per_cluster());
        if self.barriers.1 { clusters as usize } else { 0 }
    }

    /// The number of barriers of a CTA up to the highest that the program names, and whether it names the cluster barrier.
    pub(super) fn named_barriers(&self) -> (usize, bool) {
        let (mut bars, mut cluster) = (0, false);
        for (_, _, operation) in self.context.operations() {
            match operation.action {
                crate::operation::Action::Ptx(Action::Bar { id: id @ 0..16, .. }, _) => {
                    bars = bars.max(id as usize + 1);
                }
                crate::operation::Action::Ptx(
                    Action::ClusterArrive { .. } | Action::ClusterWait { .. },
                    _,
                ) => cluster = true,
                _ => {}
            }
        }
        (bars, cluster)
    }

    /// Arrivals that complete a phase of each object at launch; `None` if the program is not covered.
    pub(super) fn needed(&self) -> Option<Vec<u32>> {
        let lanes = self.context.program.lanes_apart() > 1;
        if self.cyclic || self.counts || lanes {
            return None;
        }
        let launch = self.context.program.launch;
        let state = self.initial();
        let pending = |at: &crate::ptx::object::Mbarrier| at.pending.max(0) as u32;
        let mut needed: Vec<u32> = state.mbarriers.iter().map(pending).collect();
        needed.resize(needed.len() + launch.workgroups as usize * self.barriers.0, 0);
        if self.barriers.1 {
            let agents = (0..launch.workgroups).step_by(launch.workgroups_per_cluster() as usize);
            let size = |cta: u32| self.in_cluster(self.in_cta(cta).start).len() as u32;
            needed.extend(agents.map(size));
        }
        if self.remote {
            needed.extend((0..launch.workgroups).map(|cta| self.in_cta(cta).len() as u32));
        }
        Some(needed)
    }

    fn bar(&self, state: &State, agent: usize, id: usize) -> usize {
        state.mbarriers.len() + self.cta(agent) as usize * self.barriers.0 + id
    }

    fn cluster(&self, state: &State, agent: usize) -> usize {
        let launch = self.context.program.launch;
        let cluster = launch.cluster_of(self.cta(agent)) as usize;
        state.mbarriers.len() + launch.workgroups as usize * self.barriers.0 + cluster
    }

    /// The presence of a CTA.
    fn presence(&self, state: &State, cta: u32) -> u32 {
        let bars = self.context.program.launch.workgroups as usize * self.barriers.0;
        (state.mbarriers.len() + bars + self.cluster_barriers()) as u32 + cta
    }

    /// Whether a state after a step of an agent agrees with the clocks on an object.
    pub(super) fn agrees(
        &self,
        state: &State,
        object: usize,
        (order, agent): (&Order, usize),
    ) -> bool {
        if let Some(at) = state.mbarriers.get(object) {
            return at.phase == order.phase(object);
        }
        let place = object - state.mbarriers.len();
        let bars = self.context.program.launch.workgroups as usize * self.barriers.0;
        let at = &state.agents[agent];
        if place < bars {
            let (cta, id) = (place / self.barriers.0, place % self.barriers.0);
            let held = at.held == Held::Bar(id as u8);
            return u64::from(state.bars[cta * BARS + id].arrived) == order.count(object)
                && held == order.holds(object, agent);
        }
        let present = place - bars >= self.cluster_barriers();
        present || at.ended || (at.cluster == Standing::Arrived) == order.is_part(object, agent)
    }

    /// Adds the touches of the next step of an agent or a copy; `false` if it is not covered.
    pub(super) fn touches(&self, state: &State, actor: usize, out: &mut Touches) -> bool {
        if let Some(copy) = actor.checked_sub(state.agents.len()) {
            let copy = state.copies[copy];
            let part = match copy.left {
                Some(completes) => Part { completes, ..Part::NONE },
                None => {
                    let count = self.arrivals_of(&copy) as u32;
                    Part { count, arrives: true, observed: self.must_observe(), ..Part::NONE }
                }
            };
            out.push((copy.object, Touch::Part(Part { flying: true, ..part })));
            return true;
        }
        match self.node(state, actor) {
            Some(Node::End) => {
                if self.barriers.1 {
                    let away = state.agents[actor].cluster != Standing::Arrived;
                    let part = Part { count: u32::from(away), fewer: 1, ..Part::NONE };
                    out.push((self.cluster(state, actor) as u32, Touch::Part(part)));
                }
                if self.remote {
                    let part = Part { count: 1, arrives: true, ..Part::NONE };
                    out.push((self.presence(state, self.cta(actor)), Touch::Part(part)));
                }
                true
            }
            Some(node @ Node::Operation { .. }) => {
                if let Some(cta) = self.reaches(actor, node) {
                    out.push((self.presence(state, cta), Touch::Member));
                }
                let action = action_of(node).unwrap_or(Action::Nothing);
                self.action_touches(state, actor, action, out)
            }
            _ => false,
        }
    }

    /// Whether an arrive must follow a wait for the previous phase.
    fn must_observe(&self) -> bool {
        self.law.text && self.law.readings.is_default(ReadingId::PtxMissingWait)
    }

    fn action_touches(
        &self,
        state: &State,
        agent: usize,
        action: Action,
        out: &mut Touches,
    ) -> bool {
        let touch = match action {
            Action::Bar { id, threads, kind, .. } => {
                return self.bar_touches(state, agent, (id, threads, kind), out);
            }
            Action::ClusterArrive { .. } => {
                let part = Part { count: 1, arrives: true, ..Part::NONE };
                out.push((self.cluster(state, agent) as u32, Touch::Part(part)));
                return true;
            }
            Action::ClusterWait { .. } => {
                out.push((self.cluster(state, agent) as u32, Touch::Wait(Passes::Own)));
                return state.agents[agent].cluster == Standing::Released;
            }
            Action::PendingCount { register: None, .. }
            | Action::WarpSync { .. }
            | Action::FenceInit
            | Action::Fence { .. }
            | Action::Commit { .. }
            | Action::WaitGroup { .. }
            | Action::Tensor { .. }
            | Action::Nothing => return true,
            Action::Copy { name: None, .. } => return !self.remote,
            Action::PendingCount { .. } | Action::Compare { .. } => None,
            _ => self.mbarrier_touch(state, agent, action),
        };
        let object = action.name().and_then(|name| self.object(agent, name));
        match (touch, object) {
            (Some(touch), Some((object, false))) if action.ranks().is_none() => {
                out.push((object as u32, touch));
                true
            }
            (Some(touch @ Touch::Part(_)), Some((object, true))) => {
                // Who knows of the operation on the object knows of the access, too.
                out.push((self.presence(state, self.named(object).1), Touch::Member));
                out.push((object as u32, touch));
                true
            }
            _ => false,
        }
    }

    fn bar_touches(
        &self,
        state: &State,
        agent: usize,
        (id, threads, kind): (i64, Option<i64>, Bar),
        out: &mut Touches,
    ) -> bool {
        let (Ok(id), Ok(needs @ 1..)) = (usize::try_from(id), self.threads(threads)) else {
            return false;
        };
        if state.agents[agent].bars.checked_shr(id as u32).is_some_and(|bars| bars & 1 != 0) {
            return false;
        }
        let (count, holds) = (WARP as u32, kind != Bar::Arrive);
        let part = Part { count, needs, arrives: true, holds, ..Part::NONE };
        out.push((self.bar(state, agent, id) as u32, Touch::Part(part)));
        id < self.barriers.0
    }

    fn mbarrier_touch(&self, state: &State, agent: usize, action: Action) -> Option<Touch> {
        let bytes = |bytes: i64| u32::try_from(bytes).ok();
        let part = match action {
            Action::Init { count, .. } => {
                return Some(Touch::Whole { needed: bytes(count)?, forgets: true });
            }
            Action::Inval { .. } => return Some(Touch::Whole { needed: 0, forgets: true }),
            Action::Access { .. } | Action::Copy { .. } => return Some(Touch::Use),
            Action::CopyArrive { no_increment: true, .. } => return Some(Touch::Use),
            Action::Wait { asked, patience, .. } => {
                return self.wait_touch(state, agent, (action, asked, patience));
            }
            Action::Arrive {
                form: Arrive { count, drop, no_complete: false, expect, .. }, ..
            } => {
                let count = bytes(count).filter(|count| *count > 0)?;
                let fewer = if drop { count } else { 0 };
                let expects = bytes(expect.unwrap_or(0))?;
                let observed = self.must_observe();
                Part { count, fewer, expects, arrives: true, observed, ..Part::NONE }
            }
            Action::Expect { bytes: expects, .. } => {
                Part { expects: bytes(expects)?, ..Part::NONE }
            }
            Action::Complete { bytes: completes, .. } => {
                Part { completes: bytes(completes)?, ..Part::NONE }
            }
            _ => return None,
        };
        Some(Touch::Part(part))
    }

    /// What a blocked agent waits for.
    pub(super) fn awaits(&self, state: &State, agent: usize) -> Option<Awaited> {
        let at = &state.agents[agent];
        match at.held {
            Held::Bar(_) => return Some(Awaited::Own),
            Held::Free => {}
            Held::Gathering | Held::Warp | Held::Forever => return None,
        }
        match action_of(self.node(state, agent)?)? {
            Action::ClusterWait { .. } if at.cluster == Standing::Arrived => Some(Awaited::Own),
            Action::Wait { name, .. } if self.passes(state, agent, at.node) == Some(false) => {
                let (object, remote) = self.object(agent, name)?;
                (!remote).then_some(Awaited::Next(object as u32))
            }
            _ => None,
        }
    }

    /// A wait that blocks, or that polls without an effect until it passes.
    fn wait_touch(
        &self,
        state: &State,
        agent: usize,
        (action, asked, patience): (Action, Asked, Patience),
    ) -> Option<Touch> {
        let at = &state.agents[agent];
        let spins = self.facts_of(agent).spins[at.node as usize];
        let blocks = patience == Patience::Block || spins;
        if !blocks || self.passes(state, agent, at.node) != Some(true) {
            return None;
        }
        let passes = match asked {
            Asked::Token(register) if self.law.text => {
                let token = at.tokens.get(usize::from(register)).copied().flatten()?;
                let object = self.object(agent, action.name()?)?.0;
                (token.object as usize == object).then_some(Passes::Token(token.phase))?
            }
            _ => Passes::Parity,
        };
        Some(Touch::Wait(passes))
    }
}
