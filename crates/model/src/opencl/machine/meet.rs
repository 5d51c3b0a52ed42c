//! Arrival of work-items at a barrier, and their release.

use super::Machine;
use super::call;
use super::state::{Standing, State};
use crate::opencl::action::{Action, Group};
use crate::opencl::barrier::{all_encounter, uniform_arguments};
use crate::opencl::named::{over_subscribed, sub_group_uniform};
use crate::opencl::split::arrive_twice;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;
use core::ops::Range;

impl Machine {
    /// A work-item reaches a barrier; the last to arrive releases all.
    pub(super) fn come(&self, state: &mut State, agent: usize, action: Action) {
        call::check(state, action);
        if matches!(action, Action::Barrier { group: Group::Work, .. }) {
            // It arrives at a barrier of the work-group, too.
            state.check(arrive_twice::check(state.agents[agent].split));
            if self.misses_split(state, agent) {
                state.break_rule(RuleId::OpenclBarrierAllEncounter);
            }
        }
        if !state.stopped {
            self.compare(state, agent, action);
        }
        if state.stopped {
            return;
        }
        state.agents[agent].standing = Standing::Waiting;
        let together = self.together(state, agent, action);
        if !together.is_empty() {
            self.release(state, &together, action);
        }
    }

    /// Compares a call with the work-items that are at a barrier or have ended. The rules that two of them break are already
    /// broken, so a work-item of the same sub-group that waits with the same call stands for the comparison with all others.
    fn compare(&self, state: &mut State, agent: usize, action: Action) {
        let group = self.group(agent);
        let sub_group = self.in_sub_group(self.sub_group(agent));
        if sub_group.clone().any(|other| self.waits_at(state, other) == Some(action)) {
            return;
        }
        for other in self.in_group(group).filter(|&other| other != agent) {
            let near = sub_group.contains(&other);
            let met = self.waits_at(state, other);
            let ended = state.agents[other].standing == Standing::Ended;
            let ended = ended && !self.context.program.leaves;
            let rules = match met {
                Some(met) if near => mismatch(action, met),
                Some(met) if action.is_of_work_group() && met.is_of_work_group() => {
                    mismatch(action, met)
                }
                None if ended && (near || action.is_of_work_group()) => missing(action),
                _ => [None; 2],
            };
            rules.into_iter().flatten().for_each(|rule| state.break_rule(rule));
            if state.stopped {
                return;
            }
        }
    }

    /// The work-items that continue after the arrival of an agent: all that the barrier waits for, or none.
    fn together(&self, state: &State, agent: usize, action: Action) -> Vec<usize> {
        let sub_group = self.sub_group(agent);
        match action {
            Action::Barrier { group: Group::Work, .. } => {
                let here = |other: usize| {
                    self.waits_at(state, other).is_some_and(Action::is_of_work_group)
                };
                self.awaited(state, self.in_group(self.group(agent)), here)
            }
            Action::Barrier { group: Group::Sub, .. } => {
                let here = |other: usize| state.agents[other].standing == Standing::Waiting;
                self.awaited(state, self.in_sub_group(sub_group), here)
            }
            Action::Wait { object, .. } => {
                let complete = self.waiting_on(state, agent, object);
                let count = self.object(state, agent, object).map_or(0, |object| object.count);
                if complete.len() == count as usize {
                    complete
                        .into_iter()
                        .flat_map(|sub_group| self.in_sub_group(sub_group))
                        .collect()
                } else {
                    Vec::new()
                }
            }
            _ => Vec::new(),
        }
    }

    /// The work-items for which a barrier of all of these waits, if all of them are here; otherwise none.
    fn awaited(
        &self,
        state: &State,
        all: Range<usize>,
        here: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let leaves = self.context.program.leaves;
        let counts = |agent: usize| !leaves || state.agents[agent].standing != Standing::Ended;
        // The first go first, so that one of the last is missing most often.
        if all.clone().rev().any(|agent| counts(agent) && !here(agent)) {
            return Vec::new();
        }
        all.filter(|&agent| counts(agent)).collect()
    }

    /// Whether every work-item of a sub-group waits, in which case all wait at the same barrier.
    pub(super) fn is_complete(&self, state: &State, sub_group: usize) -> bool {
        self.in_sub_group(sub_group).all(|other| state.agents[other].standing == Standing::Waiting)
    }

    /// The sub-groups that wait with all their work-items on the object that an agent means.
    #[must_use]
    pub fn waiting_on(&self, state: &State, agent: usize, object: u16) -> Vec<usize> {
        let meant = self.object(state, agent, object);
        let waits = |&sub_group: &usize| {
            let first = self.in_sub_group(sub_group).start;
            let same = matches!(self.action(state, first), Some(Action::Wait { object: other, .. }) if other == object);
            same && self.is_complete(state, sub_group) && self.object(state, first, object) == meant
        };
        self.sub_groups(self.group(agent)).filter(waits).collect()
    }

    fn release(&self, state: &mut State, together: &[usize], action: Action) {
        match action {
            Action::Barrier { group: Group::Work, .. } => self.compare_made(state, together),
            Action::Wait { object, .. }
                if self.readings.chosen(ReadingId::OpenclOverSubscribed) == 1 =>
            {
                let come = self.come_to(state, together[0], object);
                let count =
                    self.object(state, together[0], object).map_or(0, |object| object.count);
                state.check(over_subscribed::check(come, count));
            }
            _ => {}
        }
        self.hand_over(state, together);
        together.iter().for_each(|&agent| self.go_on(state, agent));
        self.forget(state);
    }

    /// The number of sub-groups at a wait on an object, waiting or about to.
    fn come_to(&self, state: &State, agent: usize, object: u16) -> usize {
        let meant = self.object(state, agent, object);
        let stands = |other: usize| {
            matches!(self.action(state, other), Some(Action::Wait { object: met, .. }) if met == object)
                && self.object(state, other, object) == meant
        };
        let come = |&sub_group: &usize| self.in_sub_group(sub_group).any(stands);
        self.sub_groups(self.group(agent)).filter(come).count()
    }

    /// A work-item has ended while others wait for it.
    pub(super) fn leave_others(&self, state: &mut State, agent: usize) {
        if self.context.program.leaves {
            return self.let_go(state, agent);
        }
        let sub_group = self.in_sub_group(self.sub_group(agent));
        for other in self.in_group(self.group(agent)).filter(|&other| other != agent) {
            let waits = self.waits_at(state, other);
            let needs = |action: &Action| sub_group.contains(&other) || action.is_of_work_group();
            if let Some(action) = waits.filter(needs) {
                missing(action).into_iter().flatten().for_each(|rule| state.break_rule(rule));
            }
        }
    }
}

impl Machine {
    /// The end of a work-item releases those that wait only for it.
    fn let_go(&self, state: &mut State, agent: usize) {
        for range in [self.in_group(self.group(agent)), self.in_sub_group(self.sub_group(agent))] {
            let waits = |other: usize| Some((other, self.waits_at(state, other)?));
            let Some((other, action)) = range.clone().find_map(waits) else { continue };
            let together = self.together(state, other, action);
            if !together.is_empty() {
                self.release(state, &together, action);
            }
        }
    }
}

/// The rules that two different calls break: the rule of each barrier that the other work-item does not reach.
fn mismatch(one: Action, other: Action) -> [Option<RuleId>; 2] {
    let arguments = one.arguments().zip(other.arguments());
    let alike = match (one, other) {
        (Action::Barrier { group, at, .. }, Action::Barrier { group: met, at: there, .. })
            if group == met =>
        {
            all_encounter::check(at, there)
        }
        (Action::Wait { object, at, .. }, Action::Wait { object: met, at: there, .. }) => {
            sub_group_uniform::check((object, at), (met, there))
        }
        _ => return [missing(one)[0], missing(other)[0]],
    };
    let uniform = || arguments.map_or(Ok(()), |(one, other)| uniform_arguments::check(one, other));
    [alike.and_then(|()| uniform()).err(), None]
}

/// The rule that a call breaks if some work-item does not reach it.
fn missing(action: Action) -> [Option<RuleId>; 2] {
    let rule = match action {
        Action::Wait { .. } => RuleId::OpenclNamedSubGroupUniform,
        _ => RuleId::OpenclBarrierAllEncounter,
    };
    [Some(rule), None]
}
