//! What a branch on data tells about its condition.
//!
//! An agent that takes one way knows its condition from then on. Compilers branch on it again, often with another one:
//! `while (any && ++i < n)` after `if (!any) …`.

use super::state::{Side, State};
use super::world::{Event, Run};
use crate::ir::{Edge, Operand, Place, Reg};
use crate::value::Value;

/// What a branch must leave as it is, so that all lanes have taken the same way.
fn lanes(state: &State) -> Option<(usize, usize, u64, Side)> {
    let frame = state.frame()?;
    let part = frame.parts.last()?;
    Some((frame.parts.len(), frame.sides.len(), part.mask, part.side))
}

impl Run<'_> {
    /// Branches, and keeps the condition.
    pub(super) fn branch_on(
        &self,
        state: &mut State,
        (on, value): (Operand, &Value),
        ways: [&Edge; 2],
        place: Place,
    ) -> Option<Event> {
        let before = lanes(state);
        let mut event = self.branch(state, value, ways, place);
        let (Operand::Register(register), false) = (on, value.is_known()) else { return event };
        match &mut event {
            Some(Event::Data(states, _) | Event::Host(states)) => {
                for state in states.iter_mut().filter(|state| lanes(state) == before) {
                    self.learn(state, register, ways);
                }
            }
            Some(Event::Header) | None if lanes(state) == before => {
                self.learn(state, register, ways);
            }
            _ => {}
        }
        event
    }

    /// The condition of a way that all lanes have taken, if it is used again.
    fn learn(&self, state: &mut State, register: Reg, ways: [&Edge; 2]) {
        let Some((frame, part)) = state.frame().zip(state.part()) else { return };
        let (block, mask) = (part.block, part.mask);
        let live = &self.world.flows[frame.function as usize].live[block as usize];
        let is_live = live[register as usize / 64] >> (register % 64) & 1 == 1;
        let way = (0..2).find(|&way| ways[way].to == block);
        let moved = |way: usize| ways[way].moves.iter().any(|(to, _)| *to == register);
        let Some(way) = way.filter(|&way| is_live && !moved(way)) else { return };
        if ways[0].to != ways[1].to && self.width(state, register) == 1 {
            let value = Value::int(u64::from(way == 0));
            state.assign(alloc::vec![(register, value)], mask, self.standing.lanes);
        }
    }
}
