//! Random paths of a system, for findings that lie deeper than a search can reach.

use crate::{Bounds, End, Facts, Found, NONE, PULSE, Progress, System, WORK_PER_STATE};
use alloc::vec::Vec;

/// Follows random paths from the initial state, each to its end, until a state has one of the facts of `until_any`. Every
/// second path prefers the last action of a state: in a system that orders its actions by actor, some actors are then far
/// ahead of the others, which uniform paths rarely show. Returns the path to that state; `None` if a limit of states or
/// work is reached, no step of a path has an alternative, or the caller cancels. The paths are the same in each call.
pub fn walk<S: System>(
    system: &S,
    reduce: bool,
    until_any: Facts,
    bounds: Bounds,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Option<Found> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (before, mut spent, mut states, mut asked) = (system.work(), 0, 0, 0);
    let (mut packed, mut ahead) = (Vec::new(), true);
    loop {
        ahead = !ahead;
        let (mut state, mut actions, mut alone) = (system.initial(), Vec::new(), true);
        loop {
            states += 1;
            packed.clear();
            system.pack(&state, &mut packed);
            spent += WORK_PER_STATE + packed.len() as u64;
            if states >= asked + PULSE.0 {
                asked = states;
                if !keep_going(Progress { states, frontier: 1 }) {
                    return None;
                }
            }
            let mut next = Vec::new();
            system.successors(&state, reduce, &mut |action, state| next.push((action, state)));
            let facts = system.facts(&state, next.is_empty());
            if facts.0 & until_any.0 != 0 {
                return Some(path(&actions, facts, states));
            }
            if spent + (system.work() - before) > bounds.work || states >= bounds.states {
                return None;
            }
            if next.is_empty() {
                break;
            }
            alone &= next.len() == 1;
            let last = next.len() - 1;
            let taken = if ahead && random.below(4) > 0 { last } else { random.below(last + 1) };
            let (action, chosen) = next.swap_remove(taken);
            actions.push(action);
            state = chosen;
        }
        if alone {
            return None;
        }
    }
}

/// The facts at the end of one path.
fn path(actions: &[u32], facts: Facts, states: u64) -> Found {
    let end = actions.len() as u32;
    let bits = (0..128).filter(|bit| facts.0 & 1 << bit != 0).map(|bit| (bit, end));
    Found {
        end: End::Met,
        states,
        transitions: states,
        terminals: 0,
        work: states * WORK_PER_STATE,
        somewhere: facts,
        always: Facts::default(),
        reach: None,
        is_path: false,
        first: bits.collect(),
        parents: core::iter::once((NONE, 0)).chain((0..).zip(actions.iter().copied())).collect(),
    }
}

/// The generator of Marsaglia with three shifts.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
