//! Accesses that an argument moves towards each other, such as `a[i]` and `a[i + s]`.
//!
//! A case is judged with one value of each argument. If all accesses of a memory move alike with an argument, no value of it
//! makes them overlap that do not overlap now. If they move differently, some value may. Strides, with which instructions
//! multiply the number of a row, are treated in `strides.rs`.

use super::strides::Factors;
use crate::value::{Slope, Symbol, Value};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// How often each argument is added to an address; `None` if lanes differ in it, or it is not a multiple.
type Shift = Vec<(Symbol, Option<u64>)>;

/// Accesses of a memory that move alike.
#[derive(Debug)]
struct Alike {
    shift: Shift,
    writes: bool,
    atomic: bool,
    /// An agent that performs one of them, and whether others do.
    agent: (u32, u32),
    several: bool,
}

impl Alike {
    /// How often an argument is added.
    fn factor(&self, argument: Symbol) -> Option<u64> {
        let found = self.shift.iter().find(|(known, _)| *known == argument);
        found.map_or(Some(0), |(_, factor)| *factor)
    }

    fn moves_alike(&self, other: &Self, is_stride: &impl Fn(Symbol) -> bool) -> bool {
        let same = |&(symbol, _): &(Symbol, Option<u64>)| {
            let both = self.factor(symbol).zip(other.factor(symbol));
            is_stride(symbol) || both.is_none_or(|(one, other)| one == other)
        };
        self.shift.iter().chain(&other.shift).all(same)
    }

    fn can_conflict(&self, other: &Self) -> bool {
        let others = self.several || other.several || self.agent != other.agent;
        others && (self.writes || other.writes) && !(self.atomic && other.atomic)
    }
}

/// How the accesses of each object move with the arguments.
#[derive(Debug, Default)]
pub(crate) struct Offsets(OrderedMap<u32, Vec<Alike>>);

impl Offsets {
    /// An agent accesses an object at an address; symbols from `first_round` on are no arguments.
    pub(crate) fn add(
        &mut self,
        object: u32,
        (address, first_round): (&Value, Symbol),
        agent: (u32, u32),
        (writes, atomic): (bool, bool),
    ) {
        let factor = |(symbol, slope): &(Symbol, Slope)| {
            let factor = match slope {
                Slope::Linear(factor) => factor.one(),
                _ => None,
            };
            (*symbol < first_round && factor != Some(0)).then_some((*symbol, factor))
        };
        let shift: Shift = address.slopes.iter().filter_map(factor).collect();
        let all = self.0.entry(object).or_default();
        let same =
            |one: &&mut Alike| (&one.shift, one.writes, one.atomic) == (&shift, writes, atomic);
        match all.iter_mut().find(same) {
            Some(known) => known.several |= known.agent != agent,
            None => all.push(Alike { shift, writes, atomic, agent, several: false }),
        }
    }

    /// Whether an argument moves accesses of an object by several agents differently, or not by a multiple.
    pub(crate) fn may_overlap(&self, object: u32, argument: Symbol) -> bool {
        let all = self.0.get(&object).map_or(&[][..], Vec::as_slice);
        all.iter().enumerate().any(|(at, one)| {
            let apart = |other: &Alike| {
                let both = one.factor(argument).zip(other.factor(argument));
                one.can_conflict(other) && both.is_none_or(|(one, other)| one != other)
            };
            all[at..].iter().any(apart)
        })
    }

    /// Whether some value of an argument may make accesses of an object by several agents overlap that do not overlap now.
    pub(crate) fn may_meet(&self, object: u32, factors: &Factors) -> bool {
        let all = self.0.get(&object).map_or(&[][..], Vec::as_slice);
        let is_stride = |symbol: Symbol| factors.is_stride(object, symbol);
        all.iter().enumerate().any(|(at, one)| {
            let apart =
                |other: &Alike| one.can_conflict(other) && !one.moves_alike(other, &is_stride);
            all[at + 1..].iter().any(apart)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Lanes;

    fn address(factor: u64) -> Value {
        let mut address = Value::int(0);
        address.set_slope(0, Slope::Linear(Lanes::One(factor)));
        address
    }

    fn meet(accesses: &[(u64, u32, bool, bool)]) -> bool {
        let mut offsets = Offsets::default();
        for &(factor, agent, writes, atomic) in accesses {
            offsets.add(7, (&address(factor), 1), (0, agent), (writes, atomic));
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
}
