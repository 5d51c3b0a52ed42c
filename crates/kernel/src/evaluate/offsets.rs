//! Accesses that an argument moves towards each other, such as `a[i]` and `a[i + s]`.
//!
//! A case is evaluated with one value of each argument. If all accesses to an object move in the same way with an argument,
//! those that do not overlap for this value do not overlap for any value. If they move differently, they may overlap for
//! another value. Strides, with which instructions multiply the number of a row, are treated in `strides.rs`.

use super::guards::Judged;
use super::strides::Factors;
use crate::value::{Slope, Symbol, Value};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// How an argument moves an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    /// If the argument grows by 1, the address grows by this much in all lanes.
    By(u64),
    /// By a distance that differs between lanes, or that another argument decides. Rows of a matrix move like that.
    Rows,
    /// If the argument grows by this number, the address stays as it is.
    Cycle(u64),
    /// In another way.
    Other,
}

/// How the arguments that move an access do so.
pub(crate) type Shift = Vec<(Symbol, Move)>;

/// How an access at an address moves. Symbols from `first_round` on are iteration numbers, not arguments.
pub(super) fn shift(address: &Value, first_round: Symbol) -> Shift {
    let moves = |(symbol, slope): &(Symbol, Slope)| {
        let moves = match slope {
            Slope::Linear(lanes) => lanes.one().map_or(Move::Rows, Move::By),
            Slope::Steady => Move::Rows,
            Slope::Cyclic(by) => Move::Cycle(*by),
            _ => Move::Other,
        };
        (*symbol < first_round && moves != Move::By(0)).then_some((*symbol, moves))
    };
    address.slopes.iter().filter_map(moves).collect()
}

/// How an argument moves an access.
fn moved_by(shift: &Shift, argument: Symbol) -> Move {
    let found = shift.iter().find(|(known, _)| *known == argument);
    found.map_or(Move::By(0), |(_, moves)| *moves)
}

/// What is known about the arguments that move accesses of an object.
pub(super) struct Arguments<'a> {
    pub(super) object: u32,
    pub(super) factors: &'a Factors,
    /// The values of all arguments in the judged cases.
    pub(super) judged: &'a [Judged],
}

impl Arguments<'_> {
    fn is_stride(&self, argument: Symbol) -> bool {
        self.factors.is_stride(self.object, argument)
    }

    /// Whether a case was judged for each remainder of an argument.
    fn has_all(&self, argument: Symbol, cycle: u64) -> bool {
        let judged = |remainder: u64| {
            let mut values =
                self.judged.iter().filter_map(|(values, _)| values.get(usize::from(argument)));
            values.any(|value| *value as u64 % cycle == remainder)
        };
        (0..cycle).all(judged)
    }
}

/// Whether no value of an argument moves one of two accesses towards the other. Rows of one stride do not overlap, and an
/// access without a stride is in one row. But rows of two strides may overlap.
pub(super) fn move_alike([one, other]: [&Shift; 2], arguments: &Arguments<'_>) -> bool {
    let is_stride = |symbol| arguments.is_stride(symbol);
    let all = |symbol, moves| match moves {
        Move::Cycle(cycle) => arguments.has_all(symbol, cycle),
        Move::Other => false,
        _ => true,
    };
    let same = |&(symbol, _): &(Symbol, Move)| {
        let both = [moved_by(one, symbol), moved_by(other, symbol)];
        both.iter().all(|&moves| all(symbol, moves))
            && match both {
                [Move::By(one), Move::By(other)] => one == other || is_stride(symbol),
                _ => true,
            }
    };
    let has_own = |one: &Shift, other: &Shift| {
        let is_own = |&(symbol, by): &(Symbol, Move)| {
            (by == Move::Rows || is_stride(symbol)) && moved_by(other, symbol) == Move::By(0)
        };
        one.iter().any(is_own)
    };
    one.iter().chain(other).all(same) && !(has_own(one, other) && has_own(other, one))
}

/// Accesses to an object that move in the same way with all arguments.
#[derive(Debug)]
struct Alike {
    shift: Shift,
    writes: bool,
    atomic: bool,
    /// An agent that performs one of them, and whether others do.
    agent: (u32, u32),
    several: bool,
    /// Whether several threads of a warp perform one of them.
    threads: bool,
}

impl Alike {
    fn can_conflict(&self, other: &Self) -> bool {
        (self.writes || other.writes) && !(self.atomic && other.atomic)
    }

    /// Whether at least two agents perform the accesses.
    fn has_agents(&self, other: &Self) -> bool {
        self.several || other.several || self.agent != other.agent
    }
}

/// How the accesses of each object move with the arguments.
#[derive(Debug, Default)]
pub(crate) struct Offsets(OrderedMap<u32, Vec<Alike>>);

impl Offsets {
    /// Adds an access of an agent to an object. `threads` says that several threads of a warp perform it.
    pub(crate) fn add(
        &mut self,
        object: u32,
        shift: &Shift,
        (agent, threads): ((u32, u32), bool),
        (writes, atomic): (bool, bool),
    ) {
        let all = self.0.entry(object).or_default();
        let same =
            |one: &&mut Alike| (&one.shift, one.writes, one.atomic) == (shift, writes, atomic);
        match all.iter_mut().find(same) {
            Some(known) => {
                known.several |= known.agent != agent;
                known.threads |= threads;
            }
            None => {
                let shift = shift.clone();
                all.push(Alike { shift, writes, atomic, agent, several: false, threads });
            }
        }
    }

    /// Whether an argument moves accesses of several agents or threads to an object differently, or by factors that are not
    /// known.
    pub(crate) fn may_overlap(&self, object: u32, argument: Symbol) -> bool {
        let all = self.0.get(&object).map_or(&[][..], Vec::as_slice);
        all.iter().enumerate().any(|(at, one)| {
            let apart = |other: &Alike| {
                let both = [one, other].map(|it| moved_by(&it.shift, argument));
                let shared = one.has_agents(other) || one.threads || other.threads;
                let same = matches!(both, [Move::By(one), Move::By(other)] if one == other);
                shared && one.can_conflict(other) && !same
            };
            all[at..].iter().any(apart)
        })
    }

    /// Whether accesses of several agents to an object that do not overlap now may overlap for another value of an argument.
    pub(super) fn may_meet(&self, arguments: &Arguments<'_>) -> bool {
        let all = self.0.get(&arguments.object).map_or(&[][..], Vec::as_slice);
        all.iter().enumerate().any(|(at, one)| {
            let apart = |other: &Alike| {
                let may = one.has_agents(other) && one.can_conflict(other);
                may && !move_alike([&one.shift, &other.shift], arguments)
            };
            all[at..].iter().any(apart)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Place;
    use crate::value::Lanes;

    fn address(factor: u64) -> Value {
        let mut address = Value::int(0);
        address.set_slope(0, Slope::Linear(Lanes::One(factor)));
        address
    }

    fn meet(accesses: &[(u64, u32, bool, bool)]) -> bool {
        let mut offsets = Offsets::default();
        for &(factor, agent, writes, atomic) in accesses {
            let shift = shift(&address(factor), 1);
            offsets.add(7, &shift, ((0, agent), false), (writes, atomic));
        }
        offsets.may_meet(&Arguments { object: 7, factors: &Factors::default(), judged: &[] })
    }

    #[test]
    fn accesses_that_move_differently_may_meet() {
        assert!(meet(&[(0, 0, true, false), (4, 1, false, false)]));
        assert!(meet(&[(0, 0, true, false), (4, 0, false, false), (4, 1, false, false)]));
        // All move alike, no agent writes, both are atomic, or there is one agent.
        assert!(!meet(&[(4, 0, true, false), (4, 1, false, false)]));
        assert!(!meet(&[(0, 0, false, false), (4, 1, false, false)]));
        assert!(!meet(&[(0, 0, true, true), (4, 1, true, true)]));
        assert!(!meet(&[(0, 0, true, false), (4, 0, false, false)]));
    }

    #[test]
    fn rows_of_two_strides_may_meet() {
        let rows = |symbol| {
            let mut address = Value::int(0);
            address.set_slope(symbol, Slope::Linear(Lanes::of([0, 4].to_vec())));
            address
        };
        let meet = |accesses: &[&[Symbol]]| {
            let (mut offsets, mut factors) = (Offsets::default(), Factors::default());
            for (agent, symbols) in (0..).zip(accesses) {
                let mut address = Value::int(0);
                for &symbol in *symbols {
                    address.set_slope(symbol, Slope::Linear(Lanes::of([0, 4].to_vec())));
                    factors.add(Place { start: agent, end: agent + 1 }, &rows(symbol), &[7]);
                }
                offsets.add(7, &shift(&address, 2), ((0, agent), true), (true, false));
            }
            offsets.may_meet(&Arguments { object: 7, factors: &factors, judged: &[] })
        };
        assert!(meet(&[&[0], &[1]]));
        // The rows of planes, and the first row.
        assert!(!meet(&[&[0, 1], &[1]]));
        assert!(!meet(&[&[0], &[]]));
    }

    #[test]
    fn a_cycle_needs_a_case_for_each_remainder() {
        let mut address = Value::int(0);
        address.set_slope(0, Slope::Cyclic(2));
        let (factors, shift) = (Factors::default(), shift(&address, 1));
        let alike = |judged: &[Judged]| {
            let arguments = Arguments { object: 7, factors: &factors, judged };
            move_alike([&shift, &Vec::new()], &arguments)
        };
        let case = |value| ([value].to_vec(), Vec::new());
        assert!(!alike(&[case(0), case(2)]));
        assert!(alike(&[case(0), case(3)]));
    }
}
