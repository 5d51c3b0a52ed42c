//! The split barrier of a work-group: arrive now, wait later.

use super::Machine;
use super::state::{Met, Phase, Split, Standing, State};
use crate::opencl::action::{Action, Arguments, Instance};
use crate::opencl::barrier::{all_encounter, uniform_arguments};
use crate::opencl::split::{arrive_twice, flags_differ, image_scope, wait_first};
use crate::rule::RuleId;

impl Machine {
    /// `intel_work_group_barrier_arrive`: the last work-item to arrive completes the phase.
    pub(super) fn arrive(
        &self,
        state: &mut State,
        agent: usize,
        arguments: Arguments,
        at: Instance,
    ) {
        state.check(image_scope::check(arguments.flags, arguments.scope));
        state.check(arrive_twice::check(state.agents[agent].split));
        if state.stopped {
            return;
        }
        let group = self.group(agent);
        let met = Met { at, arguments };
        let open = state.phases[group as usize].open.unwrap_or(met);
        state.check(compare(open, met));
        let late = |other: usize| {
            state.agents[other].standing == Standing::Ended
                && state.agents[other].split != Split::Arrived
                || self.waits_at(state, other).is_some_and(Action::is_of_work_group)
        };
        if self.in_group(group).any(late) {
            state.break_rule(RuleId::OpenclBarrierAllEncounter);
        }
        state.phases[group as usize].open = Some(open);
        state.agents[agent].split = Split::Arrived;
        self.arrive_with(state, agent, arguments);
        if self.in_group(group).all(|other| state.agents[other].split == Split::Arrived) {
            state.phases[group as usize] =
                Phase { open: None, done: Some(open.arguments), waited: None };
            self.in_group(group).for_each(|other| state.agents[other].split = Split::Complete);
            self.complete_split(state, group);
        }
    }

    /// `intel_work_group_barrier_wait` by a work-item whose phase is complete, or that has not arrived.
    pub(super) fn wait(&self, state: &mut State, agent: usize, arguments: Arguments, at: Instance) {
        state.check(image_scope::check(arguments.flags, arguments.scope));
        state.check(wait_first::check(state.agents[agent].split));
        if state.stopped {
            return;
        }
        let group = self.group(agent);
        let met = Met { at, arguments };
        let waited = state.phases[group as usize].waited.unwrap_or(met);
        state.check(compare(waited, met));
        let gone = |other: usize| {
            state.agents[other].standing == Standing::Ended
                && state.agents[other].split == Split::Complete
        };
        if self.in_group(group).any(gone) {
            state.break_rule(RuleId::OpenclBarrierAllEncounter);
        }
        let arrived = state.phases[group as usize].done;
        if arrived.is_some_and(|arrived| flags_differ::applies(arrived, arguments)) {
            state.break_rule(RuleId::OpenclSplitFlagsDiffer);
        }
        state.phases[group as usize].waited = Some(waited);
        state.agents[agent].split = Split::Idle;
        self.wait_with(state, agent, arguments);
    }

    /// Handles a work-item that ends without an arrive or wait that others have performed.
    pub(super) fn leave_split(&self, state: &mut State, agent: usize) {
        let phase = state.phases[self.group(agent) as usize];
        let missing = match state.agents[agent].split {
            Split::Arrived => false,
            Split::Idle => phase.open.is_some(),
            Split::Complete => phase.open.is_some() || phase.waited.is_some(),
        };
        if missing {
            state.break_rule(RuleId::OpenclBarrierAllEncounter);
        }
    }

    /// Whether a work-item reaches a work-group barrier while others, but not it, have arrived at the split barrier.
    pub(super) fn misses_split(&self, state: &State, agent: usize) -> bool {
        state.phases[self.group(agent) as usize].open.is_some()
            && state.agents[agent].split == Split::Idle
    }
}

fn compare(one: Met, other: Met) -> Result<(), RuleId> {
    all_encounter::check(one.at, other.at)
        .and_then(|()| uniform_arguments::check(one.arguments, other.arguments))
}
