//! Records how accesses move with arguments and with the iterations of loops.

use super::memory::Spot;
use super::offsets;
use super::rounds;
use super::world::Run;
use crate::ir::{Access, Machine, Place, Space};
use crate::value::{Slope, Symbol, Value, signed};
use alloc::vec::Vec;

impl Run<'_> {
    /// Records the factors of arguments in an address of global memory.
    pub(super) fn multiplied(&self, address: &Value, spots: &[Spot], place: Place) {
        if address.slopes.is_empty() || spots.iter().any(|spot| self.is_local(spot)) {
            return;
        }
        let mut objects: Vec<u32> = spots.iter().filter_map(|spot| spot.object()).collect();
        objects.dedup();
        self.world.factors.borrow_mut().add(place, address, &objects);
    }

    /// Records how an access of the lanes of a mask moves with arguments, and whether it writes and is atomic.
    pub(super) fn moved(
        &self,
        (address, mask): (&Value, u64),
        spots: &[Spot],
        writes: bool,
        access: Option<&Access>,
    ) {
        // The lanes of a warp are threads, which can conflict with each other.
        let lanes = self.standing.lanes > 1 && mask.count_ones() > 1;
        let threads = lanes && self.world.module.machine == Machine::Nvidia;
        let mut offsets = self.world.offsets.borrow_mut();
        let shift = offsets::shift(address, self.inputs.first_round());
        for spot in spots {
            let Some(object) = spot.object() else { continue };
            let local = self.is_local(spot);
            let kind = (writes, access.is_some_and(|it| self.is_atomic_for_all(it, local)));
            offsets.add(object, &shift, (self.standing.id(), threads), kind);
        }
    }

    /// Records the address of an access to global memory in a proof, and how it moves with the iterations of loops.
    pub(super) fn follow_rounds(&self, access: &Access, address: &Value, mask: u64) {
        let objects = &self.world.module.objects;
        let first = self.inputs.first_round();
        let mut all = self.world.rounds.borrow_mut();
        for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
            let Some(Spot::At(object, start)) = self.spot(address, access.space, lane) else {
                continue;
            };
            let of = objects.get(object as usize);
            if access.anywhere || of.is_none_or(|of| of.space != Space::Global) {
                continue;
            }
            let step = |(symbol, slope): &(Symbol, Slope)| match slope {
                Slope::Linear(by) if *symbol >= first => Some(rounds::Step {
                    symbol: *symbol,
                    by: signed(by.at(lane), 64),
                    gathers: None,
                }),
                _ => None,
            };
            let steps: Vec<rounds::Step> =
                address.slopes.iter().filter_map(step).filter(|step| step.by != 0).collect();
            let (bytes, writes) = (access.bytes, access.writes);
            let atomic = self.is_atomic_for_all(access, false);
            let (group, mut agent) = self.standing.id();
            if self.world.module.machine == Machine::Nvidia {
                agent += lane as u32;
            }
            all.add(&rounds::Alike { object, bytes, writes, atomic, steps }, (group, agent), start);
        }
    }
}
