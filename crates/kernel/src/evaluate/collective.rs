//! Operations at which threads of a warp wait for each other: `bar.warp.sync`, and shuffles, votes and the like with `.sync`.
//!
//! Each names in a mask the threads that must execute it, and a thread continues when all of them that have not ended do (PTX
//! ISA, "bar.warp.sync" and "shfl.sync"). The evaluation runs groups of threads one after the other. If a group continues
//! before the others have executed the operation, the order of evaluation is not possible, and the verdict is `unknown`.

use super::state::{State, Waiting};
use super::world::Run;
use crate::ir::Place;
use crate::value::Value;
use alloc::string::String;

const MISSING: &str =
    "not all threads of the mask execute this, so the threads that do may wait forever";

const OUTSIDE: &str = "a thread that executes this is not in its mask, so its result is undefined";

impl Run<'_> {
    /// Records that threads execute an operation at which the threads of a mask wait for each other. All threads of a mask that
    /// is data are assumed to execute it.
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
                // The model reports a `bar.warp.sync` by a thread outside its mask.
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

    /// Checks threads that perform another operation or end. Threads that wait for others may do so only if these have ended.
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
