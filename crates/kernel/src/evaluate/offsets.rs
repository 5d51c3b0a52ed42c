//! Accesses that an argument moves towards each other, such as `a[i]` and `a[i + s]`.
//!
//! A case is evaluated with one value of each argument. If all accesses to an object move in the same way with an argument,
//! those that do not overlap for this value do not overlap for any value. If they move differently, they may overlap for
//! another value. Strides, with which instructions multiply the number of a row, are treated in `strides.rs`.

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
    /// In another way, such as `i + n` modulo a number.
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

/// Whether no value of an argument moves one of two accesses towards the other. Rows of one stride do not overlap, and an
/// access without a stride is in one row. But rows of two strides may overlap.
pub(super) fn move_alike([one, other]: [&Shift; 2], is_stride: &impl Fn(Symbol) -> bool) -> bool {
    let same =
        |&(symbol, _): &(Symbol, Move)| match (moved_by(one, symbol), moved_by(other, symbol)) {
            (Move::Other, _) | (_, Move::Other) => false,
            (Move::Rows, _) | (_, Move::Rows) => true,
            (one, other) => one == other || is_stride(symbol),
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
    pub(crate) fn may_meet(&self, object: u32, factors: &Factors) -> bool {
        let all = self.0.get(&object).map_or(&[][..], Vec::as_slice);
        let is_stride = |symbol: Symbol| factors.is_stride(object, symbol);
        all.iter().enumerate().any(|(at, one)| {
            let apart = |other: &Alike| {
                let may = one.has_agents(other) && one.can_conflict(other);
                may && !move_alike([&one.shift, &other.shift], &is_stride)
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
        offsets.may_meet(7, &Factors::default())
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
            offsets.may_meet(7, &factors)
        };
        assert!(meet(&[&[0], &[1]]));
        // The rows of planes, and the first row.
        assert!(!meet(&[&[0, 1], &[1]]));
        assert!(!meet(&[&[0], &[]]));
    }
}
