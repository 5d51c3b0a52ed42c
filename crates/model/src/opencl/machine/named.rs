//! Named barriers: constructing them, and whose object is meant.

use super::Machine;
use super::state::{Object, Standing, State};
use crate::opencl::action::Instance;
use crate::opencl::named::uniform;
use crate::rule::RuleId;

impl Machine {
    /// Number of constructions of a declared barrier by an agent.
    pub(super) fn made(&self, state: &State, agent: usize, declared: u16) -> u16 {
        state.made[agent * self.declared + usize::from(declared)]
    }

    /// The object that an agent's name refers to: the one that it constructed last.
    #[must_use]
    pub fn object(&self, state: &State, agent: usize, declared: u16) -> Option<Object> {
        let wanted = (self.group(agent), declared, self.made(state, agent, declared));
        let place = |object: &Object| (object.group, object.declared, object.generation);
        state.objects.binary_search_by_key(&wanted, place).ok().map(|at| state.objects[at])
    }

    /// A work-item constructs a barrier: its n-th construction is that of every other work-item's n-th.
    pub(super) fn construct(
        &self,
        state: &mut State,
        agent: usize,
        declared: u16,
        how: (Instance, u32),
    ) {
        let slot = agent * self.declared + usize::from(declared);
        state.made[slot] = state.made[slot].saturating_add(1);
        let (group, generation) = (self.group(agent), state.made[slot]);
        match self.object(state, agent, declared) {
            Some(known) => state.check(uniform::check((known.at, known.count), how)),
            None => {
                let object = Object { group, declared, generation, at: how.0, count: how.1 };
                let at = state.objects.partition_point(|other| *other < object);
                state.objects.insert(at, object);
            }
        }
        let fewer = |other: usize| {
            state.agents[other].standing == Standing::Ended
                && self.made(state, other, declared) < generation
        };
        if self.in_group(group).any(fewer) {
            state.break_rule(RuleId::OpenclNamedUniform);
        }
        self.age(state, group, declared);
    }

    /// A work-item ends that has constructed less often than another.
    pub(super) fn leave_named(&self, state: &mut State, agent: usize) {
        let more = |declared: u16| {
            let own = self.made(state, agent, declared);
            self.in_group(self.group(agent)).any(|other| self.made(state, other, declared) > own)
        };
        if (0..self.declared).any(|declared| more(declared as u16)) {
            state.break_rule(RuleId::OpenclNamedUniform);
        }
    }

    /// Checks that all work-items of a work-group at the same barrier have constructed the same named barriers.
    pub(super) fn compare_made(&self, state: &mut State, all: &[usize]) {
        let of = |agent: usize| &state.made[agent * self.declared..(agent + 1) * self.declared];
        if all.iter().any(|&agent| of(agent) != of(all[0])) {
            state.break_rule(RuleId::OpenclNamedUniform);
        }
    }

    /// Removes objects that every work-item has constructed again, so that a loop returns to its state.
    fn age(&self, state: &mut State, group: u32, declared: u16) {
        let all = self.in_group(group);
        let oldest = all.clone().map(|agent| self.made(state, agent, declared)).min().unwrap_or(0);
        if oldest < 2 {
            return;
        }
        let by = oldest - 1;
        for agent in all {
            state.made[agent * self.declared + usize::from(declared)] -= by;
        }
        let is = |object: &Object| object.group == group && object.declared == declared;
        state.objects.retain(|object| !is(object) || object.generation > by);
        let younger = state.objects.iter_mut().filter(|object| is(object));
        younger.for_each(|object| object.generation -= by);
    }
}
