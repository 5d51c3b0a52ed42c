//! Which single agent can go first without losing any outcome.
//!
//! The next step of agent *t* may go first when nothing that the others can do before *t* moves depends on it (a
//! persistent set of one agent). What the others can do is bounded from above by letting them run with *t* frozen:
//! an arrive always passes, a wait passes as long as enough phases are complete or could become so.
//!
//! Let `c` and `E` be the arrive count and expected count of object *o*, `A` the arrives and `D` the drops that the
//! others can perform on *o*. If `c + A < E - D`, no phase of *o* completes before *t* moves. Then an arrive or drop of
//! *t* commutes with each of theirs: whichever goes first, a completion can only come with the last of them, so all are
//! in one phase. It commutes with their waits on *o* when there are none, or when even with it no phase completes. A wait of *t* commutes too when one completed phase at most is left to depend on: no new candidate can
//! come, and no other wait can take it away. An *init* of *t* may go first when no other can touch the object. Steps
//! that break a rule are never chosen to go first, so no finding hides another.

use super::Spec;
use super::choice::{bit, indices};
use super::reach::instance_bit;
use super::state::{Joined, State};
use super::step::WaitsOn;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object, Operation};
use crate::program::{Node, NodeId};
use alloc::vec::Vec;

/// Upper bounds on what the others can do while one agent is frozen, by object.
#[derive(Clone, Debug, Default)]
struct Others {
    arrives: u32,
    drops: u32,
    /// Waits that can pass.
    waits: u32,
    /// An init, a new expected count, or a question who is first.
    special: bool,
    touched: bool,
}

const MANY: u32 = 1 << 20;

impl Spec {
    /// An agent whose next step alone needs to be explored from this state, if one is found.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        let mut ready = (0..state.agents.len()).filter(|&agent| self.ways(state, agent) > 0);
        ready.find(|&agent| self.may_go_first(state, agent))
    }

    fn may_go_first(&self, state: &State, agent: usize) -> bool {
        match self.node(state, agent) {
            None | Some(Node::Divergent) => false,
            Some(Node::Choose { .. }) => true,
            Some(Node::End) => self.end_may_go_first(state, agent),
            Some(Node::Operation { operation, .. }) => {
                self.operation_may_go_first(state, agent, *operation)
            }
        }
    }

    fn operation_may_go_first(&self, state: &State, agent: usize, operation: Operation) -> bool {
        let instance = self.instances.at(agent, state.agents[agent].node);
        match operation.action {
            Action::Fence | Action::WaitCounters | Action::ReadState { .. } => true,
            Action::Join { object } => {
                object == Object::Null || (object.is_named() && self.default_readings())
            }
            Action::Init { .. } if instance == NO_INSTANCE => true,
            Action::Init { .. } => {
                !self.others(state, agent)[usize::from(instance)].touched
                    && !self.breaks(state, agent)
            }
            Action::Arrive { .. } if instance == NO_INSTANCE => true,
            Action::Arrive { expected, is_first, .. } => {
                let first_matters =
                    is_first && state.objects[usize::from(instance)].barrier.arrived == 0;
                expected.is_none()
                    && self.modification_may_go_first(state, agent, instance, first_matters)
            }
            Action::Drop { object: Object::Null } => true,
            Action::Drop { .. } => self.modification_may_go_first(state, agent, instance, false),
            Action::Leave => match state.agents[agent].joined {
                Joined::Named(instance, true) => {
                    self.modification_may_go_first(state, agent, instance, false)
                }
                Joined::Null => true,
                _ => !self.breaks(state, agent),
            },
            Action::Wait { object } => match self.waits_on(state, agent, object) {
                WaitsOn::Null => !self.breaks(state, agent),
                WaitsOn::Instance(instance) => self.wait_may_go_first(state, agent, instance),
            },
        }
    }

    fn default_readings(&self) -> bool {
        self.usual(crate::reading::ReadingId::AmdA17)
    }

    /// Whether the step breaks a rule that was not broken before, in some choice.
    fn breaks(&self, state: &State, agent: usize) -> bool {
        let next = self.perform(state, agent, 0);
        next.stop.is_some() || Self::broken_somewhere(&next) != Self::broken_somewhere(state)
    }

    fn modification_may_go_first(
        &self,
        state: &State,
        agent: usize,
        instance: InstanceId,
        first_matters: bool,
    ) -> bool {
        let barrier = state.objects[usize::from(instance)].barrier;
        if !barrier.initialised {
            return false;
        }
        let others = &self.others(state, agent)[usize::from(instance)];
        let closed = cannot_complete(barrier.arrived, barrier.expected, others);
        closed
            && !(others.special || (first_matters && others.arrives > 0))
            && !self.breaks(state, agent)
    }

    fn wait_may_go_first(&self, state: &State, agent: usize, instance: InstanceId) -> bool {
        let object = &state.objects[usize::from(instance)];
        let completed = state.completed_of(instance);
        let others = &self.others(state, agent)[usize::from(instance)];
        completed.count_ones() == 1
            && !others.special
            && cannot_complete(object.barrier.arrived, object.barrier.expected, others)
            && !self.breaks(state, agent)
    }

    /// The end of a wave drops the workgroup barrier and perhaps the cluster barrier.
    fn end_may_go_first(&self, state: &State, agent: usize) -> bool {
        let (workgroup, cluster) =
            (self.instances.workgroup_of(agent), self.instances.cluster_of(agent));
        let drops = |instance: InstanceId| {
            instance == NO_INSTANCE || self.modification_may_go_first(state, agent, instance, false)
        };
        let group = self.program.agents[agent].workgroup;
        let alone = || {
            let mine = |&other: &usize| {
                self.program.agents[other].workgroup == group && !state.agents[other].ended
            };
            (0..state.agents.len()).filter(mine).count() == 1
        };
        drops(workgroup) && (cluster == NO_INSTANCE || (alone() && drops(cluster)))
    }

    /// Upper bounds, by instance, on what the other agents can do while `frozen` does not move.
    fn others(&self, state: &State, frozen: usize) -> Vec<Others> {
        let mut bounds = alloc::vec![Others::default(); state.objects.len()];
        loop {
            let mut next = alloc::vec![Others::default(); state.objects.len()];
            for agent in (0..state.agents.len())
                .filter(|&agent| agent != frozen && !state.agents[agent].ended)
            {
                if self.reaches.is_straight(agent) {
                    self.run_straight(state, agent, &bounds, &mut next);
                } else {
                    self.add_everything(state, agent, &mut next);
                }
            }
            let grown = bounds
                .iter()
                .zip(&next)
                .any(|(old, new)| (old.arrives, old.drops) != (new.arrives, new.drops));
            bounds = next;
            if !grown {
                return bounds;
            }
        }
    }

    /// What a branching agent can reach at all, each as often as one likes.
    fn add_everything(&self, state: &State, agent: usize, bounds: &mut [Others]) {
        let reach = self.reaches.from(agent, state.agents[agent].node);
        for (instance, others) in (0..).zip(bounds) {
            let touches = |set: u128| set & instance_bit(instance) != 0;
            others.arrives += if touches(reach.touches) { MANY } else { 0 };
            others.drops +=
                if touches(reach.drops) || self.drops_at_end(agent, instance) { MANY } else { 0 };
            others.waits += if touches(reach.waits) { MANY } else { 0 };
            others.special |= touches(reach.inits | reach.special);
            others.touched |= touches(reach.touches) || self.drops_at_end(agent, instance);
        }
    }

    fn drops_at_end(&self, agent: usize, instance: InstanceId) -> bool {
        instance == self.instances.workgroup_of(agent)
            || instance == self.instances.cluster_of(agent)
    }

    /// Runs an agent without branches as far as it can possibly get.
    fn run_straight(&self, state: &State, agent: usize, bounds: &[Others], out: &mut [Others]) {
        let mut at = state.agents[agent];
        let mut passed: Vec<(InstanceId, u32)> = Vec::new();
        let body = self.program.body_of(agent);
        loop {
            match &body.nodes[at.node as usize] {
                Node::Operation { operation, next } => {
                    let instance = self.instances.at(agent, at.node);
                    if !self.count(
                        state,
                        agent,
                        operation.action,
                        instance,
                        &mut at.joined,
                        &mut passed,
                        bounds,
                        out,
                    ) {
                        return;
                    }
                    at.node = next[0];
                }
                Node::Divergent => return,
                Node::End => {
                    for (instance, others) in
                        (0..).zip(out).filter(|(instance, _)| self.drops_at_end(agent, *instance))
                    {
                        let _: InstanceId = instance;
                        others.drops += 1;
                        others.touched = true;
                    }
                    return;
                }
                Node::Choose { next } => at.node = next[0] as NodeId,
            }
        }
    }

    /// Counts one operation of a straight run; `false` where the run cannot get further.
    #[allow(clippy::too_many_arguments)] // one step of the run above, split off to be read
    fn count(
        &self,
        state: &State,
        agent: usize,
        action: Action,
        instance: InstanceId,
        joined: &mut Joined,
        passed: &mut Vec<(InstanceId, u32)>,
        bounds: &[Others],
        out: &mut [Others],
    ) -> bool {
        let object = usize::from(instance);
        match action {
            Action::Join { object: Object::Null } => *joined = Joined::Null,
            Action::Join { .. } if instance != NO_INSTANCE => {
                *joined = Joined::Named(instance, true)
            }
            Action::Init { .. } | Action::Arrive { .. } | Action::Drop { .. }
                if instance != NO_INSTANCE =>
            {
                let others = &mut out[object];
                others.touched = true;
                match action {
                    Action::Drop { .. } => others.drops += 1,
                    Action::Arrive { expected: None, is_first, .. } => {
                        others.arrives += 1;
                        others.special |= is_first;
                    }
                    _ => others.special = true,
                }
            }
            Action::Leave => {
                if let Joined::Named(left, bound) = joined {
                    out[usize::from(*left)].drops += 1;
                    out[usize::from(*left)].touched = true;
                    *bound = false;
                }
            }
            Action::Wait { object } => {
                let target = match (object.is_named(), *joined) {
                    (true, Joined::Null) => return true,
                    (true, Joined::Named(instance, _))
                        if self.usual(crate::reading::ReadingId::AmdA7) =>
                    {
                        instance
                    }
                    _ => instance,
                };
                return target == NO_INSTANCE
                    || self.can_pass(state, agent, target, passed, bounds, out);
            }
            _ => {}
        }
        true
    }

    fn can_pass(
        &self,
        state: &State,
        agent: usize,
        instance: InstanceId,
        passed: &mut Vec<(InstanceId, u32)>,
        bounds: &[Others],
        out: &mut [Others],
    ) -> bool {
        out[usize::from(instance)].touched = true;
        let waits = match passed.iter_mut().find(|(object, _)| *object == instance) {
            Some((_, waits)) => {
                *waits += 1;
                *waits
            }
            None => {
                passed.push((instance, 1));
                1
            }
        };
        let can = |&slot: &usize| state.choices.iter().any(|choice| choice.can_wait(agent, slot));
        let now = indices(state.completed_of(instance))
            .filter(can)
            .fold(0, |set, slot| set | bit(slot))
            .count_ones();
        let barrier = state.objects[usize::from(instance)].barrier;
        waits
            <= now.saturating_add(completions(
                barrier.arrived,
                barrier.expected,
                &bounds[usize::from(instance)],
            ))
    }
}

/// Whether the others cannot complete a phase.
fn cannot_complete(arrived: i32, expected: i32, others: &Others) -> bool {
    !others.special
        && i64::from(arrived) + i64::from(others.arrives)
            < i64::from(expected) - i64::from(others.drops)
}

/// How many phases the others can complete at most.
fn completions(arrived: i32, expected: i32, others: &Others) -> u32 {
    if others.special {
        return MANY;
    }
    let needed = i64::from(expected) - i64::from(others.drops);
    let available = i64::from(arrived) + i64::from(others.arrives);
    if needed < 1 { MANY } else { u32::try_from(available / needed).unwrap_or(MANY) }
}
