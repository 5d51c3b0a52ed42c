//! A replayed execution with *barrier-executes-before* as clocks.

use crate::replay::amdgpu::{Done, Replay};
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedMap;

/// Number of steps of each agent before a point.
type Clock = Vec<u32>;

/// A replayed execution. Where a wait could depend on several phases, it is taken to depend on the last.
pub(crate) struct Trail<'a> {
    /// The execution.
    pub replay: &'a Replay,
    clocks: Vec<Clock>,
}

impl<'a> Trail<'a> {
    /// Computes the clocks.
    pub(crate) fn new(replay: &'a Replay) -> Self {
        Self::settled(replay, |_| None)
    }

    /// Computes the clocks where waits of some steps depend on the phase of a given number.
    pub(crate) fn settled(replay: &'a Replay, phase: impl Fn(usize) -> Option<u32>) -> Self {
        let agents = replay.machine.context.program.agents.len();
        let mut own: Vec<Clock> = alloc::vec![alloc::vec![0; agents]; agents];
        let mut phases: OrderedMap<(InstanceId, u32), Clock> = OrderedMap::new();
        let mut clocks = Vec::with_capacity(replay.done.len());
        for (step, done) in replay.done.iter().enumerate() {
            let clock = &mut own[done.step.agent];
            clock[done.step.agent] = done.ordinal + 1;
            let keys = done
                .note
                .instance
                .into_iter()
                .flat_map(|id| done.note.phases.iter().map(move |&phase| (id, phase)));
            if matches!(replay.action(done), Some(Action::Wait { .. })) {
                let chosen = done.note.instance.zip(phase(step)).or(keys.last());
                if let Some(phase) = chosen.and_then(|key| phases.get(&key)) {
                    merge(clock, phase);
                }
            } else {
                keys.for_each(|key| {
                    merge(phases.entry(key).or_insert_with(|| alloc::vec![0; agents]), clock)
                });
            }
            clocks.push(clock.clone());
        }
        Self { replay, clocks }
    }

    /// Whether one step *barrier-executes-before* another, or is it.
    pub(crate) fn before(&self, from: usize, to: usize) -> bool {
        let Done { step, ordinal, .. } = &self.replay.done[from];
        self.clocks[to][step.agent] > *ordinal
    }

    /// The operation of a step; none for a choice and for the end of an agent.
    pub(crate) fn action(&self, step: usize) -> Option<Action> {
        self.replay.action(&self.replay.done[step])
    }

    /// The memory operation of a step, if it is one.
    pub(crate) fn memory(&self, step: usize) -> Option<Memory> {
        match self.action(step) {
            Some(Action::Memory(memory)) => Some(memory),
            _ => None,
        }
    }

    /// The agent of a step.
    pub(crate) fn agent(&self, step: usize) -> usize {
        self.replay.done[step].step.agent
    }

    /// The steps of an agent from one step up to, not including, another.
    pub(crate) fn of(
        &self,
        agent: usize,
        from: usize,
        to: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (from..to.min(self.replay.done.len())).filter(move |&step| self.agent(step) == agent)
    }

    /// Whether the step is an *arrive* at an object.
    pub(crate) fn arrives(&self, step: usize) -> bool {
        matches!(self.action(step), Some(Action::Arrive { .. }))
            && self.replay.done[step].note.instance.is_some()
    }

    /// Whether the step is a *wait*.
    pub(crate) fn waits(&self, step: usize) -> bool {
        matches!(self.action(step), Some(Action::Wait { .. }))
    }
}

fn merge(clock: &mut Clock, other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
}
