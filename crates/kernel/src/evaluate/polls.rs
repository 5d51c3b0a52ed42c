//! Loops that only wait: a poll that fails leads back to a poll of the same phase, with nothing in between.
//!
//! Compilers write such a wait as one loop, or as a first poll and a loop elsewhere that goes back to the instructions after the
//! first poll (ptxas does so for every wait). Either is one wait that returns when its phase is complete.

use super::graph::drop_dead;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Kind, Nvidia, NvidiaKind, Place};
use crate::value::Value;
use alloc::vec::Vec;
use tidegate_model::operation::Action;

/// The maximum number of headers of loops between two polls.
const MOST_HEADERS: usize = 8;
/// The maximum number of instructions after a poll before the paths from both polls join.
const MOST_STEPS: usize = 256;

impl Run<'_> {
    /// Whether an agent returns to a poll before it does anything else.
    pub(super) fn comes_again(&self, mut state: State, place: Place) -> bool {
        self.next_poll(&mut state) == Some(place)
    }

    /// Whether the first state, after a failed poll, leads only to a loop that polls the same phase, and this loop continues
    /// like the second state, after a successful poll.
    pub(super) fn polls_elsewhere(
        &self,
        [mut failed, done]: [State; 2],
        actions: &[(Action, u64, bool)],
        active: u64,
    ) -> bool {
        let Some(place) = self.next_poll(&mut failed) else { return false };
        let Some(wait) = self.wait_before(&failed, actions, active) else { return false };
        let after = [0, 1].map(|outcome| {
            let mut next = failed.clone();
            for &to in &wait.results {
                self.write(&mut next, to, Value::int(outcome), (active, false));
            }
            next
        });
        let [again, late] = after;
        self.comes_again(again, place) && self.rejoins(done, late)
    }

    /// The place of the next poll, if only computation comes before it. The state is then the one after the poll, without its
    /// results.
    fn next_poll(&self, state: &mut State) -> Option<Place> {
        self.world.lds.looks_ahead.set(true);
        let mut found = None;
        for _ in 0..MOST_HEADERS {
            match self.advance(state) {
                Ok(Event::Header) => {}
                Ok(Event::Divergent(place)) => {
                    found = Some(place);
                    break;
                }
                _ => break,
            }
        }
        self.world.lds.looks_ahead.set(false);
        found
    }

    /// The wait that comes directly before a state, if exactly these lanes perform it, with these actions.
    fn wait_before(
        &self,
        state: &State,
        actions: &[(Action, u64, bool)],
        active: u64,
    ) -> Option<&Nvidia> {
        let (frame, part) = (state.frame()?, state.part()?);
        let function = &self.world.module.functions[frame.function as usize];
        let block = &function.blocks[part.block as usize];
        let instruction = block.instructions.get(part.index.checked_sub(1)?)?;
        let Kind::Nvidia(nvidia) = &instruction.kind else { return None };
        let waits = matches!(nvidia.kind, NvidiaKind::Wait { .. } | NvidiaKind::WaitWord { .. });
        if !waits || self.guarded(state, instruction.guard, part.mask) != Some((active, active)) {
            return None;
        }
        let own = self.actions(state, nvidia, instruction.place, active);
        own.is_ok_and(|own| own == actions).then_some(nvidia)
    }

    /// Whether two states become equal while both only compute.
    fn rejoins(&self, mut one: State, mut other: State) -> bool {
        let mut passed = Vec::new();
        while passed.len() < MOST_STEPS && self.reaches_next_block(&mut one) {
            passed.push(one.clone());
        }
        for _ in 0..MOST_STEPS {
            if !self.reaches_next_block(&mut other) {
                return false;
            }
            if passed.contains(&other) {
                return true;
            }
        }
        false
    }

    /// Computes up to the beginning of the next block; `false` if something else comes first.
    fn reaches_next_block(&self, state: &mut State) -> bool {
        state.acted = true;
        for _ in 0..MOST_STEPS {
            if !self.computes(state) {
                return false;
            }
            match self.step(state) {
                Ok(None) => {}
                _ => return false,
            }
            if state.part().is_some_and(|part| part.index == 0) {
                drop_dead(self, state);
                return true;
            }
        }
        false
    }

    /// Whether the next instruction only computes.
    fn computes(&self, state: &State) -> bool {
        let Some((frame, part)) = state.frame().zip(state.part()) else { return true };
        let function = &self.world.module.functions[frame.function as usize];
        let next = function.blocks[part.block as usize].instructions.get(part.index);
        next.is_none_or(|one| matches!(one.kind, Kind::Compute { .. } | Kind::Opaque { .. }))
    }
}
