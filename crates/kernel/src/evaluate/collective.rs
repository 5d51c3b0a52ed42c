//! Operations at which threads of a warp wait for others of it: `bar.warp.sync`, and shuffles, votes and the like with `.sync`.
//!
//! Each names in a mask the threads that must execute it, and a thread continues when all of them that have not ended do
//! (PTX ISA, "bar.warp.sync" and "shfl.sync"). Threads are followed part by part, so a part that continues before the others
//! have executed the operation is not what the threads do, and the verdict stays open.

use super::state::{State, Waiting};
use super::world::Run;
use crate::ir::Place;
use crate::value::Value;
use alloc::string::String;

const MISSING: &str =
    "not all threads of the mask execute this, so the threads that do may wait forever";

const OUTSIDE: &str = "a thread that executes this is not in its mask, so its result is undefined";

impl Run<'_> {
    /// Threads execute an operation at which those of a mask wait for each other. A mask that is data counts as complete.
    pub(super) fn collect(
        &self,
        state: &mut State,
        (mask, orders): (&Value, bool),
        place: Place,
        active: u64,
    ) {
        let mut rest = active;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let own = mask.known_in(first);
            let same = (first..self.standing.lanes).filter(|&lane| mask.known_in(lane) == own);
            let by = same.fold(0, |all, lane| all | 1 << lane) & rest;
            rest &= !by;
            match own {
                // `bar.warp.sync` is undefined then, which the machine reports.
                Some(own) if orders && by & !own != 0 => {}
                Some(own) if by & !own != 0 => self.world.note(place, String::from(OUTSIDE)),
                Some(own) => self.arrive(state, own, place, by),
                None => {}
            }
        }
    }

    fn arrive(&self, state: &mut State, mask: u64, place: Place, active: u64) {
        let mut one = Waiting { mask, arrived: active, place };
        state.waiting.retain(|known| {
            let same = known.mask == mask;
            one.arrived |= if same { known.arrived } else { 0 };
            !same
        });
        if mask & self.alive(state) & !one.arrived != 0 {
            state.waiting.push(one);
        }
    }

    /// Threads perform an operation or end: those that wait for others can only do so if these have ended.
    pub(super) fn continue_with(&self, state: &mut State, active: u64) {
        let alive = self.alive(state);
        state.waiting.retain(|one| {
            let waits = one.mask & alive & !one.arrived != 0;
            if waits && one.arrived & active != 0 {
                self.world.note(one.place, String::from(MISSING));
                return false;
            }
            waits
        });
    }
}
