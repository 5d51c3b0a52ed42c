//! The operands of an operation in one lane of a warp.

use crate::evaluate::memory::{Spot, shared};
use crate::evaluate::request::Stop;
use crate::evaluate::state::State;
use crate::evaluate::world::Run;
use crate::ir::{Nvidia, Operand, Place as At, Space};
use crate::value::{Origin, Value, signed};
use tidegate_model::ptx::action::{Name, Place};

/// The size of an mbarrier object in bytes.
const OBJECT: u64 = 8;
/// The maximum number of mbarrier objects.
const MOST_OBJECTS: usize = 1024;

/// Why a lane has no action.
pub(in crate::evaluate) enum Problem {
    Stop(Stop),
    /// An operand is not known, or is not valid.
    Open(&'static str),
}

impl From<Stop> for Problem {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

pub(in crate::evaluate) type Found<T> = Result<T, Problem>;

pub(in crate::evaluate) const UNKNOWN: Problem =
    Problem::Open("an operand of this operation is data");

/// The operands of an operation in one lane.
pub(in crate::evaluate) struct Lane<'r, 'w> {
    pub(in crate::evaluate) run: &'r Run<'w>,
    pub(in crate::evaluate) state: &'r State,
    pub(in crate::evaluate) nvidia: &'r Nvidia,
    pub(in crate::evaluate) lane: usize,
    pub(in crate::evaluate) place: At,
}

impl Run<'_> {
    /// The mbarrier object at an address.
    pub(in crate::evaluate) fn object_at(&self, address: u64, origin: Origin) -> Found<Name> {
        let (address, rank) = shared(address);
        let spot = self.world.objects.spot(self.world.module, Space::Local, address, origin);
        let Spot::At(object, offset) = spot else {
            return Err(Problem::Open(
                "the address of this mbarrier object is not in shared memory",
            ));
        };
        if offset % OBJECT != 0 {
            return Err(Problem::Open(
                "the address of this mbarrier object is not a multiple of 8",
            ));
        }
        let mut all = self.world.mbarriers.borrow_mut();
        let known = all.iter().position(|&known| known == (object, offset));
        let index = known.unwrap_or(all.len());
        if index >= MOST_OBJECTS {
            return Err(Problem::Open("the kernel uses too many mbarrier objects"));
        }
        if known.is_none() {
            all.push((object, offset));
        }
        let other = rank.filter(|&rank| rank != self.standing.rank());
        Ok(Name { index: index as u16, place: other.map_or(Place::Own, Place::Rank) })
    }
}

impl Lane<'_, '_> {
    pub(in crate::evaluate) fn value(&self, at: usize) -> Value {
        let operand = self.nvidia.operands.get(at).copied().unwrap_or(Operand::Int(0));
        self.run.operand(self.state, operand)
    }

    /// An operand that must be known.
    pub(in crate::evaluate) fn number(&self, at: usize) -> Found<u64> {
        let value = self.value(at);
        if !self.run.inputs.exact(&value) {
            return Err(Problem::Stop(Stop::NoProof));
        }
        value.known_in(self.lane).ok_or(UNKNOWN)
    }

    /// A number of 32 bits with a sign.
    pub(in crate::evaluate) fn word(&self, at: usize) -> Found<i64> {
        Ok(signed(self.number(at)?, 32))
    }

    /// The object at an address.
    pub(in crate::evaluate) fn object(&self, at: usize) -> Found<Name> {
        self.run.object_at(self.number(at)?, self.value(at).origin)
    }

    pub(in crate::evaluate) fn mask(&self, at: usize) -> Found<Option<u16>> {
        let mask = self.number(at)? as u16;
        Ok((mask != 0).then_some(mask))
    }

    /// The token that an operand is in this lane; `None` if it is no token.
    pub(in crate::evaluate) fn token(&self, at: usize) -> Option<u16> {
        self.value(at).origin.token_in(self.lane)
    }
}
