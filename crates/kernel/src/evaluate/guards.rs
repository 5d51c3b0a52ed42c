//! Whether the checked values of the arguments represent all values of a proof.
//!
//! A proof shows that an agent repeats itself, so a longer loop behaves like a shorter one. Two values of an argument are
//! equivalent only if all other comparisons also have equal results, as `if (n > 4)` next to a loop of `n` iterations. Every
//! comparison with arguments in a proof, except one that ends a loop, must therefore have the same result for some checked
//! values. If an argument ends loops whose behaviour repeats every *k* steps of the argument, the last *k* values before those
//! of the proof must be among the checked ones.

use super::state::State;
use crate::compute::identify;
use crate::value::{Symbol, common_multiple};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// A comparison in the code, by the calls that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site(u64);

impl Site {
    /// The instruction that a state executes.
    pub(crate) fn of(state: &State) -> Self {
        let at = |frame: &super::state::Frame| {
            (frame.function, frame.parts.last().map(|part| (part.block, part.index)))
        };
        Self(identify(state.frames.iter().map(at).collect::<Vec<_>>()))
    }
}

/// The number of steps by which an argument can be smaller, and larger, without a change of the result.
type Room = (u64, u64);

/// The values of the arguments in a case, and the ranges that it represents.
pub(crate) type Judged = (Vec<i64>, Vec<(i64, i64)>);

/// The values of an argument that a proof covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin {
    /// The first value.
    pub(crate) first: i128,
    /// The distance of two values.
    pub(crate) step: u64,
    /// Whether there are too many smaller values to check all of them. The last checked ones then represent those directly
    /// before `first`.
    pub(crate) far: bool,
}

/// The comparisons of a proof with arguments.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    asked: RefCell<OrderedMap<(Site, Symbol), Room>>,
    /// The guards that end loops.
    ends: RefCell<OrderedSet<Site>>,
    /// The arguments that end loops.
    ended_by: RefCell<OrderedSet<Symbol>>,
    /// The number of steps of the arguments after which all loops repeat; 0 if there are no loops.
    steps: Cell<u64>,
}

impl Guards {
    /// Records for how many steps of an argument a comparison has the same result.
    pub(crate) fn asks(&self, site: Site, argument: Symbol, (down, up): Room) {
        let mut asked = self.asked.borrow_mut();
        let room = asked.entry((site, argument)).or_insert((u64::MAX, u64::MAX));
        *room = (room.0.min(down), room.1.min(up));
    }

    /// Records that a comparison ends a loop.
    pub(crate) fn ends(&self, site: Site, arguments: impl Iterator<Item = Symbol>) {
        self.ends.borrow_mut().insert(site);
        self.ended_by.borrow_mut().extend(arguments);
    }

    /// Records that a loop repeats after this number of steps of the arguments.
    pub(crate) fn comes_back_after(&self, steps: u64) {
        self.steps.set(common_multiple(self.steps.get().max(1), steps.max(1)));
    }

    /// Whether checked values represent those of a proof that covers these values of the arguments.
    pub(crate) fn are_judged(&self, begin: &[Begin], judged: &[Judged]) -> bool {
        let ends = self.ends.borrow();
        let asked = self.asked.borrow();
        let guards: Vec<(usize, Room)> = asked
            .iter()
            .filter(|((site, _), _)| !ends.contains(site))
            .map(|((_, argument), room)| (usize::from(*argument), *room))
            .collect();
        let same = |value_of: &dyn Fn(usize) -> i128| {
            guards.iter().all(|&(argument, (down, up))| {
                let Some(&Begin { first, step, .. }) = begin.get(argument) else { return false };
                let (by, step) = (value_of(argument) - first, i128::from(step));
                by % step == 0 && -by / step <= i128::from(down) && by / step <= i128::from(up)
            })
        };
        // Whether checked values include some in which an argument has this value.
        let with = |at: usize, value: i128| {
            judged.iter().any(|(values, region)| {
                let (least, most) = region[at];
                (i128::from(least)..=i128::from(most)).contains(&value)
                    && same(&|argument| match argument == at {
                        true => value,
                        false => i128::from(values[argument]),
                    })
            })
        };
        let before = |argument: &Symbol| {
            let at = usize::from(*argument);
            let Some(&Begin { first, step, far }) = begin.get(at) else { return false };
            let end = match far {
                true => judged.iter().map(|(_, region)| i128::from(region[at].1) + 1).max(),
                false => Some(first),
            };
            (1..=self.steps.get().max(1)).all(|back| {
                end.is_some_and(|end| with(at, end - i128::from(back) * i128::from(step)))
            })
        };
        let any = judged.iter().any(|(values, _)| same(&|argument| i128::from(values[argument])));
        any && self.ended_by.borrow().iter().all(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: Site = Site(1);
    const GUARD: Site = Site(2);

    const fn begin(first: i128, step: u64) -> Begin {
        Begin { first, step, far: false }
    }

    fn judged(values: core::ops::Range<i64>) -> Vec<Judged> {
        values.map(|value| (alloc::vec![value], alloc::vec![(value, value)])).collect()
    }

    #[test]
    fn a_guard_beside_a_loop_needs_lengths_with_its_answer() {
        let guards = Guards::default();
        guards.asks(LOOP, 0, (0, u64::MAX));
        guards.ends(LOOP, [0].into_iter());
        guards.comes_back_after(2);
        assert!(guards.are_judged(&[begin(5, 1)], &judged(0..5)));
        // `n > 4`, where the proof begins at 5.
        guards.asks(GUARD, 0, (0, u64::MAX));
        assert!(!guards.are_judged(&[begin(5, 1)], &judged(0..5)));
        let later = Guards { asked: RefCell::default(), ..guards };
        later.asks(GUARD, 0, (1, u64::MAX));
        assert!(!later.are_judged(&[begin(6, 1)], &judged(0..6)));
        let later = Guards { asked: RefCell::default(), ..later };
        later.asks(GUARD, 0, (2, u64::MAX));
        assert!(later.are_judged(&[begin(7, 1)], &judged(0..7)));
    }

    #[test]
    fn without_loops_one_value_with_the_same_answers_is_enough() {
        let guards = Guards::default();
        guards.asks(GUARD, 0, (3, u64::MAX));
        assert!(guards.are_judged(&[begin(8, 1)], &judged(0..6)));
        assert!(!guards.are_judged(&[begin(8, 1)], &judged(0..5)));
    }

    #[test]
    fn arguments_that_grow_by_steps_are_compared_with_whole_steps() {
        let guards = Guards::default();
        guards.asks(GUARD, 0, (u64::MAX, u64::MAX));
        guards.ends(LOOP, [0].into_iter());
        guards.comes_back_after(1);
        assert!(guards.are_judged(&[begin(8, 4)], &judged(4..5)));
        assert!(!guards.are_judged(&[begin(8, 4)], &judged(5..6)));
    }

    #[test]
    fn a_round_of_several_steps_needs_all_of_them() {
        let guards = Guards::default();
        guards.ends(LOOP, [0].into_iter());
        guards.comes_back_after(16);
        let of = |least, most| (alloc::vec![least], alloc::vec![(least, most)]);
        assert!(guards.are_judged(&[begin(33, 1)], &[of(1, 16), of(17, 32)]));
        assert!(!guards.are_judged(&[begin(33, 1)], &[of(1, 16), of(18, 32)]));
    }
}
